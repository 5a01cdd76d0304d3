import { z } from 'zod';

/** What a reviewer would do with a lesson, were it for them alone. */
export const OPINIONS = ['promote', 'reject'] as const;
export type Opinion = (typeof OPINIONS)[number];

/** A member as others see them. */
const teammateSchema = z.object({ memberId: z.string(), name: z.string() });

/** Somebody who was asked to look at a run or a lesson. `isMine`: whoever asks for it is. */
const assigneeSchema = teammateSchema.extend({
  assignedBy: z.string(),
  createdAt: z.iso.datetime(),
  isMine: z.boolean(),
});
export type Assignee = z.infer<typeof assigneeSchema>;

/** Who was asked to look at something, and who else could be: members that may decide. */
export const assignmentsSchema = z.object({
  assignees: z.array(assigneeSchema),
  choices: z.array(teammateSchema).meta({ description: 'Members that this can be assigned to, including yourself.' }),
});
export type Assignments = z.infer<typeof assignmentsSchema>;

/** What somebody thinks of a lesson. */
const lessonOpinionSchema = z.object({
  actor: z.string(),
  verdict: z.enum(OPINIONS),
  reason: z.string().nullable(),
  createdAt: z.iso.datetime(),
  editCount: z.int().min(0).meta({ description: 'Number of edits of the text that the vote is about.' }),
  isMine: z.boolean(),
});
export type LessonOpinion = z.infer<typeof lessonOpinionSchema>;

/** What people think of the present text of a lesson, as whoever asks may see it. */
export const lessonOpinionsSchema = z.object({
  given: z.int().min(0),
  opinions: z
    .array(lessonOpinionSchema)
    .nullable()
    .meta({ description: 'Null while the lesson waits for review and you can still vote without having seen them.' }),
  older: z
    .array(lessonOpinionSchema)
    .nullable()
    .meta({ description: 'Votes on an older text, which do not count. Null as long as `opinions` is null.' }),
  mayGive: z.boolean().meta({
    description: 'You can vote: the lesson waits for review, is not your own work, and you have not voted yet.',
  }),
});
export type LessonOpinions = z.infer<typeof lessonOpinionsSchema>;

/** Why a promotion that somebody asked for is not done yet; their vote is stored. Null where it is done. */
export const pendingPromotionSchema = z
  .object({
    why: z
      .enum(['objections', 'second_person'])
      .meta({ description: 'Others voted against it: confirm it. Or another person must vote for it.' }),
    message: z.string(),
    objections: z.array(lessonOpinionSchema).meta({ description: 'The votes of others against it.' }),
  })
  .nullable();
export type PendingPromotion = NonNullable<z.infer<typeof pendingPromotionSchema>>;

/** Those who work on a lesson, as one of them sees it. */
export const lessonPeopleSchema = lessonOpinionsSchema.extend({
  ...assignmentsSchema.shape,
  isOwn: z.boolean().meta({
    description: 'You contributed to this lesson: you wrote or edited it, or you wrote, started or decided its run.',
  }),
  whyNotPromote: z
    .string()
    .nullable()
    .meta({ description: 'Why you may not promote it, and who can. Null if your role allows it.' }),
  ownComments: z.array(z.guid()).meta({ description: 'Your own comments, which you may change and delete.' }),
});
export type LessonPeople = z.infer<typeof lessonPeopleSchema>;

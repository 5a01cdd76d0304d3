import { z } from 'zod';

/** Verdicts that a reviewer can give on a lesson. */
export const OPINIONS = ['promote', 'reject'] as const;
export type Opinion = (typeof OPINIONS)[number];

/** A member as shown to other members. */
const teammateSchema = z.object({ memberId: z.string(), name: z.string() });

/** A person assigned to a run or a lesson. `isMine`: the caller is this person. */
const assigneeSchema = teammateSchema.extend({
  assignedBy: z.string(),
  createdAt: z.iso.datetime(),
  isMine: z.boolean(),
});
export type Assignee = z.infer<typeof assigneeSchema>;

/** People assigned to a subject, and the other members who could be: those with the right to decide. */
export const assignmentsSchema = z.object({
  assignees: z.array(assigneeSchema),
  choices: z.array(teammateSchema).meta({ description: 'Members that this can be assigned to, including yourself.' }),
});
export type Assignments = z.infer<typeof assignmentsSchema>;

/** A person's opinion on a lesson. */
const lessonOpinionSchema = z.object({
  actor: z.string(),
  verdict: z.enum(OPINIONS),
  reason: z.string().nullable(),
  createdAt: z.iso.datetime(),
  editCount: z.int().min(0).meta({ description: 'Number of edits of the text that the vote is about.' }),
  isMine: z.boolean(),
});
export type LessonOpinion = z.infer<typeof lessonOpinionSchema>;

/** Opinions on the current text of a lesson, as visible to the caller. */
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

/** Reason why a requested promotion is still pending. The vote is stored. Null if the promotion is done. */
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

/** People involved in a lesson, as visible to one of them. */
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

/** How to answer, in its own tags. It is no data and is not quoted: the tags it shows must be whole. */
export function answerForm(form: string): string {
  return `<answer_form>\n${form}\n</answer_form>`;
}

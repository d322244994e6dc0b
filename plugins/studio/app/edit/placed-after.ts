/** The ids after one of them moved behind another one, or to the top. */
export function placedAfter(
  ids: readonly string[],
  id: string,
  after: string | undefined,
): readonly string[] {
  const others = ids.filter((each) => each !== id)
  return others.toSpliced(after === undefined ? 0 : others.indexOf(after) + 1, 0, id)
}

import { messageOf } from '../kernel/std/message-of.ts'

export { isMissing } from '../kernel/std/error-code.ts'
export { messageOf } from '../kernel/std/message-of.ts'

/** Matches a file and line at the top of a stack, which Node writes before or under the message. */
const placeInFile = /(?:^|\()[ \t]*(?:at )?(?:file:\/\/)?((?:\/|[A-Za-z]:\\)[^\n()]*?):(\d+)(?::\d+)?\)?$/

/** Describes the error of a module in one line: its message, and the source line if known. */
export function explain(error: unknown): string {
  const head = error instanceof Error ? error.stack?.split('\n').slice(0, 2) : undefined
  const place = head?.map((line) => placeInFile.exec(line)).find((found) => found !== null)
  return place ? `${messageOf(error)} (${place[1]}, line ${place[2]})` : messageOf(error)
}

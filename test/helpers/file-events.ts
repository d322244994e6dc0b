/** What the process of several test files prints about a file beside the results of its tests. */
import * as v from 'valibot'

const FileEvent = v.object({
  /** The file that did it; absent if that is not known. */
  file: v.optional(v.string()),
  message: v.string(),
  stack: v.string(),
  /** Whether it ends the process. */
  ends: v.boolean(),
})
export type FileEvent = v.InferOutput<typeof FileEvent>

const mark = '# file event: '

export const lineOf = (event: FileEvent): string => `${mark}${JSON.stringify(event)}`

export function eventOf(line: string): FileEvent | undefined {
  return line.startsWith(mark) ? v.parse(FileEvent, JSON.parse(line.slice(mark.length))) : undefined
}

import { createRedactor } from '../../kernel/index.ts'

const shapes = createRedactor([])
const longestText = 200

/** A value for records: whatever looks like a key is taken out, and long texts are cut. */
export function redacted(value: unknown): unknown {
  const json = JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? excerptOf(part, longestText) : part))
  return json === undefined ? undefined : JSON.parse(json)
}

/** The beginning of a text, without what looks like a key, and never half a character. */
export const excerptOf = (text: string, longest: number): string =>
  shapes(text.slice(0, 4 * longest)).slice(0, longest).replace(/[\ud800-\udbff]$/, '')

import type { FieldMeta } from './model.ts'

/** Whether a value is a list of texts, or the cells of a table. */
export const isTexts = (value: unknown, { kind }: FieldMeta): boolean =>
  Array.isArray(value) && (kind === 'stringList' || value.every((row) => Array.isArray(row)))

/** Rewrites a text, or each one of a list or a table. */
export function inTexts(value: unknown, rewrite: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => inTexts(each, rewrite))
  return typeof value === 'string' ? rewrite(value) : value
}

/** Finds a text as whole words, and the addresses of Markdown links, which may contain it. */
export function wholeWords(text: string): RegExp {
  const letter = String.raw`[\p{L}\p{M}\p{N}]`
  const isLetter = new RegExp(letter, 'u')
  const [before, behind] = [isLetter.test(text[0] ?? ''), isLetter.test(text.at(-1) ?? '')]
  const escaped = text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
  const words = `${before ? `(?<!${letter})` : ''}${escaped}${behind ? `(?!${letter})` : ''}`
  return new RegExp(String.raw`\]\([^)]*\)?|${words}`, 'gu')
}

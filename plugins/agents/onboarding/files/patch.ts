import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'

/** Identifies the content of a file; `null` for no file. */
export const hashOf = (bytes: Buffer | undefined): string | null => (bytes ? hash('sha256', bytes) : null)

/** Invisible and reordering characters, and texts that look like their escapes. */
const hidden =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|<(?=(?:U\+)?[0-9A-F]{2,6}>)/gu
const notAscii = /[^\t\x20-\x7e]|<(?=(?:U\+)?[0-9A-F]{2,6}>)/g

/**
 * Escapes characters that a person would not see, or that move others, as `<U+202E>`; keeps those in
 * `allowed`.
 */
export const visible = (text: string, allowed = ''): string =>
  text.replaceAll(hidden, (found) => (allowed.includes(found) ? found : `<U+${hexOf(found, 4)}>`))

const hexOf = (character: string, digits: number): string =>
  (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(digits, '0')

/** Shows a line of a file; in one that is not UTF-8, other bytes than ASCII become `<FF>`. */
function toShown(line: string): string {
  const bytes = Buffer.from(line, 'latin1')
  return isUtf8(bytes)
    ? visible(bytes.toString('utf8'), '\t')
    : line.replaceAll(notAscii, (found) => `<${hexOf(found, 2)}>`)
}

/** Formats that no program reads as text. Files with other names are shown, whatever they contain. */
const media =
  /\.(?:png|jpe?g|gif|webp|avif|ico|bmp|pdf|woff2?|ttf|otf|eot|mp[34]|webm|og[gv]|wav|mov|zip|gz)$/i

/** The maximum length of a patch that is shown. */
export const mostPatch = 200_000

/**
 * Returns all lines that differ between two versions of a file, first the old, then the new ones. `isShown` is
 * false if the patch has the sizes and hashes of the versions instead.
 */
export function toPatch(
  path: string,
  before: Buffer | undefined,
  after: Buffer | undefined,
): { readonly patch: string; readonly isShown: boolean } {
  const unshown = (why: string) => ({
    patch: `(not shown, ${why}: ${[after, before].map(toFacts).join(', instead of ')})`,
    isShown: false,
  })
  if (media.test(path) && !isUtf8(after ?? before ?? Buffer.of())) return unshown('binary')
  const old = toLines(before)
  const next = toLines(after)
  let start = 0
  while (start < old.length && start < next.length && old[start] === next[start]) start++
  let end = 0
  while (end < old.length - start && end < next.length - start && old.at(-1 - end) === next.at(-1 - end))
    end++
  const patch = [
    `@@ line ${start + 1} @@`,
    ...old.slice(start, old.length - end).map((line) => `-${toShown(line)}`),
    ...next.slice(start, next.length - end).map((line) => `+${toShown(line)}`),
  ].join('\n')
  return patch.length > mostPatch ? unshown('too large') : { patch, isShown: true }
}

const toFacts = (bytes: Buffer | undefined): string =>
  bytes === undefined ? 'no file' : `${bytes.length} bytes, sha256 ${hashOf(bytes)}`

/** Lines as bytes, so that only equal bytes are equal. */
const toLines = (bytes: Buffer | undefined): readonly string[] =>
  bytes === undefined ? [] : bytes.toString('latin1').split('\n')

import type { Page } from './page.ts'
import { isPlainObject } from './plain-object.ts'

/**
 * The slugs of files: `/~` and the path, in which each character that no new slug can have is its bytes in
 * hex, each with a `~` before it. `docs/über uns.md` is `/~docs/über~20uns.md`.
 */
const prefix = '/~'

/** What stays: letters and digits of any script, marks, `-`, `.`, `_`, and the slashes. */
const refused = /[^\p{L}\p{M}\p{N}\-._/]/gu
/** What may join the letter before it where slugs are composed: marks, and vowels and finals of Hangul. */
const joining = /[\p{M}\u1160-\u11FF]/gu

/** Returns the slug of the file at a path, which is relative and has `/` between its segments. */
export function slugOfPath(path: string): string {
  const slug = path.replaceAll(refused, escaped)
  if (slug.normalize('NFC') === slug) return prefix + slug
  const apart = slug.replaceAll(joining, escaped)
  return prefix + [...apart].map((each) => (each.normalize('NFC') === each ? each : escaped(each))).join('')
}

const escaped = (character: string): string =>
  [...Buffer.from(character)].map((byte) => `~${byte.toString(16).padStart(2, '0')}`).join('')

/**
 * Returns the path that a slug stands for.
 *
 * Returns `undefined` for a slug of another form: each path has one slug. Segments with a leading dot,
 * backslashes, colons, control characters and segments that end with a blank or a dot are in no path, so that
 * it stays in its folder on each system.
 */
export function pathOfSlug(slug: string): string | undefined {
  if (!slug.startsWith(prefix)) return undefined
  const bytes = slug
    .slice(prefix.length)
    .replaceAll('%', '%25')
    .replaceAll(/~([0-9a-f]{2})/g, '%$1')
  try {
    const path = decodeURIComponent(bytes)
    return isConfined(path) && slugOfPath(path) === slug ? path : undefined
  } catch {
    return undefined
  }
}

/** Whether a path names a file below its folder that any system can have. */
const isConfined = (path: string): boolean => path.split('/').every((segment) => segmentForm.test(segment))

const segmentForm = /^(?![. ])[^\\:*?"<>|\p{Cc}]*[^\\:*?"<>|\p{Cc}. ]$/u

/** Returns a page that is created, copied or renamed with the file that it is, if its slug names one. */
export function withFile(page: Page): Page {
  const path = pathOfSlug(page.slug)
  if (path === undefined || !/\.\w+$/.test(path)) return page
  const { document } = page
  return { ...page, document: { kind: 'document', ...(isPlainObject(document) && document), path } }
}

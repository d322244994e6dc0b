import { isPlaceholder } from '../../content/fields.ts'

const linkSchemes = new Set(['http', 'https', 'mailto', 'tel'])
const fileSchemes = new Set(['http', 'https'])

/** A link that runs no script: http(s), mailto, tel, relative or `#`; any other value becomes `#`. */
export function safeLink(value: unknown): string {
  return cleaned(value, linkSchemes) ?? '#'
}

/** The address of an image or film, http(s) or relative; `undefined` where none was chosen or it is another. */
export function safeFile(value: unknown): string | undefined {
  return isPlaceholder(value) ? undefined : cleaned(value, fileSchemes)
}

/** The address of a page of this site, which never leads to another host however its slug begins. */
export function pageLink(slug: string): string {
  return `/${slug.replace(/^[/\\\s]+/, '')}`
}

/** An absolute http(s) address, the only kind that may be shown in a frame. */
export function safeFrame(value: unknown): string | undefined {
  const url = cleaned(value, fileSchemes)
  return url !== undefined && URL.canParse(url) ? url : undefined
}

function cleaned(value: unknown, schemes: ReadonlySet<string>): string | undefined {
  if (typeof value !== 'string') return undefined
  const url = value.trim()
  // All that stands before the colon has to be on the list, because a browser would run `java\nscript:` too.
  const scheme = /^([^/?#:]*):/.exec(url)?.[1]
  return url === '' || (scheme !== undefined && !schemes.has(scheme.toLowerCase())) ? undefined : url
}

const shape = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/

/** Reserved names: folders of the service, and devices on Windows. */
const reserved: ReadonlySet<string> = new Set([
  'editor',
  'orchestrator',
  'node_modules',
  'con',
  'prn',
  'aux',
  'nul',
  ...['com', 'lpt'].flatMap((name) => Array.from({ length: 9 }, (_, at) => `${name}${at + 1}`)),
])

/** The rule for site ids, as the end of a sentence. */
export const siteIdRule =
  "1 to 40 lower case letters, digits and '-', none of them '-' at an end, and no reserved name such as 'editor'"

export function isSiteId(text: string): boolean {
  return shape.test(text) && !reserved.has(text)
}

/** Derives an id: `@acme/myBlog_v2` becomes `my-blog-v2`, a name without ASCII letters and digits ''. */
export function toSiteId(name: string): string {
  return name
    .replace(/^@[^/]*\//, '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

/** Formats a site id for people: `my-first_site` becomes `My First Site`. */
export function toTitle(siteId: string): string {
  const words = siteId.split(/[-_]+/).filter((word) => word !== '')
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ') || siteId
}

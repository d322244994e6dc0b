/** The addresses of the pages that show documents: what was seen, and what the framework's folders say. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isPlainObject, parsedJson } from '../content/plain-object.ts'

/** Where documents are shown. */
export interface Addresses {
  /** Notes a page that shows texts of a file, which is its own document or a part of several pages. */
  see(path: string, address: string, isOwn: boolean): void
  /** Returns the address that shows the file at a path: one that was seen, else a likely one. */
  of(path: string): Promise<string | undefined>
}

/** The folders whose files are pages, by framework, and how deep they begin. */
const routeFolders: Readonly<Record<string, readonly RegExp[]>> = {
  astro: [/^src\/pages\//],
  docusaurus: [/^src\/pages\//, /^(?=docs\/|blog\/)/],
  eleventy: [/^(?:src|content|input)\//, /^/],
  vitepress: [/^(?:docs|src)\//, /^/],
  next: [/^(?:src\/)?(?:app|pages)\//],
  sveltekit: [/^src\/routes\//],
  nuxt: [/^content\//],
}

/** Files that are no part of the address: an index, or the page file of a folder. */
const noSegment = /^(?:index|page|\+page|readme)$/i

/** Returns the address of a file of a folder of pages; `undefined` for other files. */
export function routeOf(framework: string | undefined, path: string): string | undefined {
  const folder = routeFolders[framework ?? '']?.find((form) => form.test(path))
  if (!folder) return undefined
  const segments = path.replace(folder, '').split('/')
  const name = segments.pop()?.replace(/\.[^.]+$/, '') ?? ''
  const all = noSegment.test(name) ? segments : [...segments, name]
  const shown = all.filter((segment) => !/^\(.*\)$/.test(segment))
  if (shown.some((segment) => /[[\]]/.test(segment) || /^[_@]/.test(segment))) return undefined
  return `/${shown.map((segment) => segment.replace(/^\d+[-.]\s*(?=\D)/, '')).join('/')}`
}

/**
 * Creates the addresses of a site. `checkout` is the folder in which its development server runs, where some
 * frameworks write down which file a page is made from.
 */
export function createAddresses(
  framework: string | undefined,
  checkout: () => string | undefined,
): Addresses {
  const own = new Map<string, string>()
  const parts = new Map<string, string>()
  return {
    see: (path, address, isOwn) => void (isOwn ? own : parts).set(path, address),
    async of(path) {
      const folder = checkout()
      const written = framework === 'docusaurus' && folder ? await permalink(folder, path) : undefined
      return own.get(path) ?? written ?? routeOf(framework, path) ?? parts.get(path)
    },
  }
}

/** Returns the address that Docusaurus has written down for a file. */
async function permalink(folder: string, path: string): Promise<string | undefined> {
  const data = join(folder, '.docusaurus')
  const files = await readdir(data, { recursive: true }).catch(() => [])
  const sources = new Set([`@site/${path}`])
  for (const file of files.filter((each) => /(?:^|[\\/])site-[^\\/]*\.json$/.test(each))) {
    const document = parsedJson(await readFile(join(data, file), 'utf8').catch(() => ''))
    if (!isPlainObject(document) || !sources.has(String(document['source']))) continue
    const { permalink: address } = document
    if (typeof address === 'string') return address
  }
  return undefined
}

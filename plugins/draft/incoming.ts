import * as v from 'valibot'
import { Page } from '../content/page.ts'

/** Pages from outside: those that are usable, by slug, and those that are not, each with the reason. */
export interface Incoming {
  readonly pages: ReadonlyMap<string, Page>
  /** Usable pages before those with the same slug fell together; the later one wins. */
  readonly count: number
  readonly refused: readonly { readonly slug: string; readonly reason: string }[]
}

/** Sorts pages from outside: whatever is a page document of at most `pageBytes` bytes is taken, nothing is repaired by guessing. */
export function readIncoming(raw: readonly unknown[], { pageBytes }: { readonly pageBytes: number }): Incoming {
  const pages = new Map<string, Page>()
  const refused: { readonly slug: string; readonly reason: string }[] = []
  let count = 0
  raw.forEach((candidate, at) => {
    const parsed = v.safeParse(Page, candidate)
    if (!parsed.success) {
      const [issue] = parsed.issues
      refused.push({ slug: slugOf(candidate, at), reason: `${v.getDotPath(issue) ?? 'the page'} is missing or of the wrong type` })
    } else if (Buffer.byteLength(JSON.stringify(parsed.output)) > pageBytes) {
      refused.push({ slug: parsed.output.slug, reason: `the page is larger than ${pageBytes} bytes` })
    } else {
      count++
      pages.set(parsed.output.slug, parsed.output)
    }
  })
  return { pages, count, refused }
}

function slugOf(candidate: unknown, at: number): string {
  const named = typeof candidate === 'object' && candidate !== null && 'slug' in candidate ? candidate.slug : undefined
  return typeof named === 'string' && named !== '' ? named : `pages[${at}]`
}

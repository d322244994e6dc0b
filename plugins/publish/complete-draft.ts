import type * as v from 'valibot'
import { pace } from '../../kernel/index.ts'
import { homeFirst } from '../content/slugs.ts'
import type { Drafts } from '../draft/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { Content } from './schemas.ts'

/** Facts about a draft besides its pages. */
type About = Pick<v.InferOutput<typeof Content>, 'session' | 'generatedAt'>

/** The maximum size in bytes of an answer that is not streamed. */
const readAheadBytes = 4 * 1024 * 1024

/** Returns the `Content` of a draft as UTF-8 JSON; a large one is a stream, pages as they are when read. */
export async function completeDraft(
  drafts: Drafts,
  id: DraftId,
  about: About,
): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
  const parts = partsOf(drafts, id, about)
  const ahead: Uint8Array[] = []
  let size = 0
  for (let part = await parts.next(); !part.done; part = await parts.next()) {
    ahead.push(part.value)
    size += part.value.byteLength
    if (size > readAheadBytes) return continued(ahead, parts)
  }
  return Buffer.concat(ahead)
}

async function* partsOf(drafts: Drafts, id: DraftId, about: About): AsyncGenerator<Uint8Array, void> {
  const siteConfig = (await drafts.config(id)) ?? {}
  const slugs = homeFirst((await drafts.rows(id)).map(({ slug }) => slug))
  yield Buffer.from(`${JSON.stringify({ ...about, slugs, siteConfig }).slice(0, -1)},"pages":[`)
  let isFirst = true
  for (const slug of slugs) {
    const page = await drafts.page(id, slug)
    if (!page) continue
    await pace()
    if (!isFirst) yield Buffer.from(',')
    isFirst = false
    yield page.bytes
  }
  yield Buffer.from(']}')
}

async function* continued(
  ahead: readonly Uint8Array[],
  parts: AsyncGenerator<Uint8Array, void>,
): AsyncGenerator<Uint8Array> {
  yield* ahead
  yield* parts
}

/** Published pages by their JSON. */
import { LRUCache } from '../../kernel/index.ts'
import type { Page } from '../content/page.ts'

/** The bytes of the published pages that are held as objects as well. */
const mostBytesHeld = 8 * 1024 * 1024
/** Published pages by their JSON: those that differ from the draft are read again at each comparison. */
const held = new LRUCache<Uint8Array, Page>({
  maxSize: mostBytesHeld,
  sizeCalculation: (_page, json) => json.byteLength,
})

/** Returns a published page, of which the JSON may be held. */
export function toPage(published: Page | Uint8Array): Page {
  if (!(published instanceof Uint8Array)) return published
  const page: Page = held.get(published) ?? JSON.parse(Buffer.from(published).toString())
  held.set(published, page)
  return page
}

import type { Manifest } from '../content/model.ts'
import { builtinRegistry } from '../content/registry.ts'
import { readManifest } from '../draft/port.ts'
import type { DraftId } from '../scope/port.ts'
import { defineCollection, trusted, type Store } from '../store/port.ts'

/** The block types that a site declared last, under (site id, session). */
export const manifests = defineCollection('check_manifests', trusted<{ readonly manifest: unknown }>(), { columns: {} })

/** Where the block types of a site are kept between checks. */
export interface ManifestShelf {
  read(id: DraftId): Promise<Manifest | undefined>
  keep(id: DraftId, raw: unknown): Promise<void>
}

export const createManifestShelf = (store: Store): ManifestShelf => ({
  async read({ siteId, session }) {
    const stored = await store.of(manifests).get(siteId, session)
    return stored && readManifest(stored.body.manifest, builtinRegistry)
  },
  keep: ({ siteId, session }, manifest) => store.transaction(async (tx) => void (await tx.of(manifests).put(siteId, session, { body: { manifest }, columns: {} }))),
})

/** A website in a folder, as `edit` has it, with a checkout in which no development server runs. */
import { contentFiles, fileBlocks, gitOf } from '../../config/content-files.ts'
import { give, type Mount } from '../../kernel/index.ts'
import { bus } from '../../plugins/bus/port.ts'
import { createDraftFiles, findProject, openCheckout } from '../../plugins/checkout/port.ts'
import { contentAdapter } from '../../plugins/content/adapter.ts'
import { generateManifest } from '../../plugins/content/manifest.ts'
import { createRegistry } from '../../plugins/content/registry.ts'
import { draftChanged, drafts } from '../../plugins/draft/port.ts'
import { scope } from '../../plugins/scope/port.ts'
import { hostSite } from '../../plugins/sites/port.ts'

const registry = createRegistry(Object.entries(fileBlocks).map(([type, each]) => ({ type, ...each })))

export function websiteIn(folder: string, place: string) {
  const files = contentFiles(folder)
  return {
    seeds: [
      give(contentAdapter, files),
      give(hostSite, { demoContent: false, blocks: generateManifest(registry) }),
    ],
    /** Writes each change of the draft into the checkout. */
    async show(get: Mount['get']): Promise<void> {
      const checkout = await openCheckout(await findProject(folder), {
        place,
        env: {},
        git: gitOf(folder, process.env),
      })
      const [draft, at] = [await get(drafts), (await get(scope)).draft({})]
      const reader = {
        read: (since?: number) => draft.read(at, since),
        page: async (slug: string) => (await draft.page(at, slug))?.page,
        slugs: async () => (await draft.rows(at)).map(({ slug }) => slug),
      }
      const write = createDraftFiles({
        root: folder,
        filesOf: () => files.filesOf(reader),
        checkout,
        onWritten: () => undefined,
        onError: (error) => console.error(error),
      })
      const { signal } = new AbortController()
      const shown = ({ source }: { readonly source: string }) => void (source === 'direct' && write())
      ;(await get(bus)).subscribe(draftChanged, shown, { signal })
    },
  }
}

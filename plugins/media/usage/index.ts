import { clock, definePlugin, optional } from '../../../kernel/index.ts'
import { blobs } from '../../blobs/port.ts'
import type { Page } from '../../content/page.ts'
import { baselines } from '../../baseline/port.ts'
import { drafts } from '../../draft/port.ts'
import { media } from '../port.ts'
import { snapshots } from '../../publish/port.ts'
import { scope } from '../../scope/port.ts'
import { store } from '../../store/port.ts'
import { findIn, inJson, needleFor, type Needle } from './find.ts'
import { routes } from './routes.ts'
import { RetentionVariables, type Use } from './schemas.ts'
import { createSweep, repeat } from './sweep.ts'

const maxUses = 500

/** Where a draft uses an image; deletes files that nothing uses. */
export default definePlugin({
  name: 'media-usage',
  tag: 'Media',
  needs: {
    blobs,
    clock,
    drafts,
    scope,
    store,
    media: optional(media),
    baselines: optional(baselines),
    snapshots: optional(snapshots),
  },
  env: RetentionVariables,
  routes,
}).setup(
  ({ needs: { media, baselines, snapshots, scope, ...needs }, env: { MEDIA_RETENTION_DAYS: days }, log }) => {
    const { drafts } = needs
    const sweeps =
      days !== undefined && media && baselines && snapshots
        ? repeat(createSweep({ ...needs, media, baselines, snapshots, log, days }), log)
        : undefined
    return {
      ready: () => sweeps?.start(),
      close: () => sweeps?.stop(),
      handlers: {
        async usage({ query: { url, ...request }, signal }) {
          const id = scope.draft(request)
          const needle = needleFor(url)
          const bytes = inJson(needle)
          const { version, pages } = await drafts.read(id)
          const bySlug = new Map<string, readonly Use[]>()
          let found = 0
          // Pages are read in turns with other requests, and again if they change meanwhile.
          for await (const [slug, stored] of pages) {
            signal.throwIfAborted()
            const uses = stored && contains(stored.bytes, bytes) ? usesOn(stored.page, needle) : []
            found += uses.length - (bySlug.get(slug)?.length ?? 0)
            bySlug.set(slug, uses)
            if (found > maxUses) break
          }
          const [settings, redirects] = [await drafts.shownConfig(id), await drafts.redirects(id)]
          const inConfig = [...findIn({ ...settings, ...(redirects && { redirects }) }, needle, '')]
          const uses = [...inConfig, ...[...bySlug.values()].flat()]
          return {
            status: 200,
            body: {
              version,
              uses: uses.slice(0, maxUses),
              ...(uses.length > maxUses && { isCut: true as const }),
            },
          }
        },
      },
    }
  },
)

const contains = ({ buffer, byteOffset, byteLength }: Uint8Array, part: Buffer): boolean =>
  Buffer.from(buffer, byteOffset, byteLength).includes(part)

/** The uses on a page; no more than can be listed. */
function usesOn({ blocks, slug, title, ...page }: Page, needle: Needle): readonly Use[] {
  const onPage = findIn(page, needle, '').map((use) => ({ slug, title, ...use }))
  const inBlocks = blocks
    .values()
    .flatMap(({ id, type, props }) =>
      findIn(props, needle, '').map((use) => ({ slug, title, blockId: id, blockType: type, ...use })),
    )
  return [...onPage, ...inBlocks.take(maxUses + 1)]
}

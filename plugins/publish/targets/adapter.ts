import type { ContentAdapter } from '../../content/adapter.ts'
import { inTurn } from '../../site/port.ts'
import type { PublishTarget } from '../port.ts'
import { failed } from './outcome.ts'

/** Publishes into the content source of the host, if that can be written. */
export function adapterTarget(adapter: ContentAdapter, ownSiteId: string): PublishTarget {
  return {
    name: 'adapter',
    async publish({ id, pages, siteConfig }) {
      if (id.siteId !== ownSiteId) return failed(400, otherSite(ownSiteId))
      if (!adapter.writeContent) return failed(400, readOnly)
      const write = adapter.writeContent.bind(adapter, { pages, siteConfig })
      const { notes } = await inTurn(adapter, write)
      const message = `Published ${pages.length} ${pages.length === 1 ? 'page' : 'pages'}.`
      return {
        ok: true,
        httpStatus: 200,
        status: 'ready',
        body: { vercelState: 'READY', message, ...(notes.length > 0 && { notes: [...notes] }) },
        tracker: { deployStatus: 200, deployResponse: 'adapter', vercelState: 'READY' },
      }
    },
  }
}

const readOnly =
  'The content adapter of this mount does not store what is published. ' +
  'Set its option writeOnPublish, or name the site in siteOrigin.'

const otherSite = (ownSiteId: string): string =>
  `The content adapter of this mount belongs to the site ${ownSiteId}. ` +
  'Name the site to publish to in siteOrigin.'

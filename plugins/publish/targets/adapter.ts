import type { ContentAdapter } from '../../content/adapter.ts'
import type { PublishTarget } from '../port.ts'
import { failed } from './outcome.ts'

/** Publishes into the content source that the host handed over, where that can be written. */
export function adapterTarget(adapter: ContentAdapter): PublishTarget {
  return {
    name: 'adapter',
    async publish({ pages, siteConfig }) {
      if (!adapter.writeContent) return failed(400, 'The content adapter of this mount does not store what is published. Set its option writeOnPublish, or name the site in siteOrigin.')
      const { notes } = await adapter.writeContent({ pages, siteConfig })
      return {
        ok: true,
        httpStatus: 200,
        status: 'ready',
        body: { vercelState: 'READY', message: `Published ${pages.length} ${pages.length === 1 ? 'page' : 'pages'}.`, ...(notes.length > 0 && { notes: [...notes] }) },
        tracker: { deployStatus: 200, deployResponse: 'adapter', vercelState: 'READY' },
      }
    },
  }
}

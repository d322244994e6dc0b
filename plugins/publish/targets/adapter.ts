import type { Logger } from '../../../kernel/index.ts'
import type { ContentAdapter } from '../../content/adapter.ts'
import { toStored, withCarried, withoutEntries } from '../../content/carry.ts'
import { headerOf } from '../../content/redirects.ts'
import { inTurn, readContentOf, tagOf } from '../../site/port.ts'
import type { PublishTarget } from '../port.ts'
import { changedMeanwhile, failed, refused, succeeded } from '../outcome.ts'

/** Publishes to the content source of the host, if it is writable. */
export function adapterTarget(
  adapter: ContentAdapter,
  ownSiteId: string,
  log: Pick<Logger, 'warn'>,
): PublishTarget {
  return {
    name: 'adapter',
    stored: () => readContentOf(adapter),
    async publish({ id, pages, siteConfig, redirects, allowDelete, carried, removed, ifStored }) {
      if (id.siteId !== ownSiteId) return failed(400, otherSite(ownSiteId))
      if (!adapter.writeContent) return failed(400, readOnly)
      const write = adapter.writeContent.bind(adapter)
      const written = await inTurn(adapter, async () => {
        const site = await readContentOf(adapter).catch((err: unknown) => {
          log.warn({ err }, 'content of the site not read before a publish')
          return undefined
        })
        if (!site && !allowDelete) return undefined
        if (site && ifStored !== undefined && tagOf(site) !== ifStored) return 'changed'
        const { entries } = await withCarried(pages, site && withoutEntries(site, removed).site, carried)
        return (await write({ pages: toStored(entries), siteConfig: headerOf(siteConfig), redirects })) ?? {}
      })
      if (!written) return refused(unknownContent)
      if (written === 'changed') return changedMeanwhile()
      const { notes = [] } = written
      const body = notes.length > 0 ? { notes: [...notes] } : {}
      return succeeded('ready', body, { deployStatus: 200, deployResponse: 'adapter' })
    },
  }
}

const readOnly =
  'The content adapter of this mount does not store what is published. ' +
  'Set the option writeOnPublish of jsonFile, give an adapter of your own writeContent(), ' +
  'or name the site in siteOrigin.'

/** Pages that cannot be read may be in no draft, and no diff shows their removal. */
const unknownContent =
  'The current content of the site could not be read, and this publish would replace all of it. ' +
  'See the log of the service, or send allowDelete: true to replace it anyway.'

const otherSite = (ownSiteId: string): string =>
  `The content adapter of this mount belongs to the site ${ownSiteId}. ` +
  'Name the site to publish to in siteOrigin.'

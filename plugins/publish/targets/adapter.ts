import { type Logger, Refusal } from '../../../kernel/index.ts'
import {
  type ContentAdapter,
  contentChanged,
  type FileChange,
  type PlaceFiles,
} from '../../content/adapter.ts'
import { toStored, withCarried, withoutEntries } from '../../content/carry.ts'
import { headerToSend } from '../../content/redirects.ts'
import { inTurn, readContentOf, stateOf, tagOf } from '../../site/port.ts'
import type { Publication, PublishOutcome, PublishTarget } from '../port.ts'
import { changedMeanwhile, failed, refused, succeeded, withNotes } from '../outcome.ts'

/** The outcome of a publish whose content is in its place. */
export const inPlace = succeeded('ready', {}, { deployStatus: 200, deployResponse: 'adapter' })

/** Puts the changed files of a publish in their place. */
export type PlacePublished = (
  publication: Publication,
  changes: readonly FileChange[],
  write: () => Promise<void>,
) => Promise<PublishOutcome>

/**
 * Publishes to the content source of the host, if it is writable. `placing` returns what puts the files of a
 * publish in their place, where the adapter itself does not.
 */
export function adapterTarget(
  adapter: ContentAdapter,
  ownSiteId: string,
  log: Pick<Logger, 'warn'>,
  placing: (publication: Publication) => PlacePublished | undefined = () => undefined,
): PublishTarget {
  return {
    name: 'adapter',
    stored: () => readContentOf(adapter),
    async publish(publication) {
      const { id, pages, siteConfig, redirects, allowDelete, carried, removed, ifStored } = publication
      if (id.siteId !== ownSiteId) return failed(400, otherSite(ownSiteId))
      if (!adapter.writeContent) return failed(400, readOnly)
      const write = adapter.writeContent.bind(adapter)
      const placed = placing(publication)
      let outcome: PublishOutcome = inPlace
      const place: PlaceFiles | undefined =
        placed &&
        (async (changes, writeFiles) => {
          outcome = await placed(publication, changes, writeFiles)
          return outcome.ok
        })
      const written = await inTurn(adapter, async () => {
        const site = await readContentOf(adapter).catch((err: unknown) => {
          log.warn({ err }, 'content of the site not read before a publish')
          return undefined
        })
        if (!site && !allowDelete) return undefined
        if (site && ifStored !== undefined && tagOf(site) !== ifStored) return 'changed'
        const { entries } = await withCarried(pages, site && withoutEntries(site, removed).site, carried)
        const content = { pages: toStored(entries), siteConfig: headerToSend(siteConfig), redirects }
        const from = site && stateOf(site)
        return (await write(content, { from, place }).catch(unlessChanged)) ?? {}
      })
      if (!written) return refused(unknownContent)
      if (written === 'changed') return changedMeanwhile()
      return outcome.ok ? withNotes(outcome, written.notes) : outcome
    },
  }
}

function unlessChanged(error: unknown): 'changed' {
  if (error instanceof Refusal && error.code === contentChanged) return 'changed'
  throw error
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

import type { ChangeEvent } from '../draft/port.ts'
import type { LoggedPublish } from '../publish/port.ts'
import type { EventType } from './settings.ts'

/** What a message says. */
export interface MessageContent {
  readonly type: EventType
  /** The JSON body. */
  readonly payload: string
}

/** The maximum number of pages listed in a message, which also has the total. */
const maxSlugs = 500

const toMessage = (type: MessageContent['type'], timestamp: string, data: object): MessageContent => ({
  type,
  payload: JSON.stringify({ type, timestamp, data }),
})

/** Builds the message about a change: draft and pages, never their content. */
export function changeMessage({
  siteId,
  session,
  previewVersion: version,
  source,
  channel,
  slugs,
  removedSlugs = [],
  configChanged = false,
  at,
}: ChangeEvent): MessageContent {
  const pages = {
    slugs: slugs.slice(0, maxSlugs),
    removedSlugs: removedSlugs.slice(0, maxSlugs),
    pageCount: slugs.length + removedSlugs.length,
  }
  return toMessage('draft.changed', at, {
    siteId,
    session,
    version,
    source,
    channel,
    ...pages,
    configChanged,
  })
}

/** Builds the message about a publish; with `triggered` the deployment may still fail later. */
export function publishMessage({
  id: { siteId, session },
  publishId,
  status,
  version,
  target,
  slugs,
  changes,
  at,
  scheduledId,
}: LoggedPublish): MessageContent {
  const pages = { slugs: slugs.slice(0, maxSlugs), pageCount: slugs.length }
  return toMessage(status === 'failed' ? 'publish.failed' : 'publish.completed', at, {
    siteId,
    session,
    version,
    publishId,
    status,
    target,
    scheduledId,
    ...pages,
    ...(changes && {
      added: changes.added.slice(0, maxSlugs),
      modified: changes.modified.slice(0, maxSlugs),
      removed: changes.removed.slice(0, maxSlugs),
      configChanged: changes.siteConfigFields > 0,
      people: peopleIn(changes),
    }),
  })
}

/** The names of those whose changes a publish brought, as far as they state one. */
const peopleIn = ({ edits = [] }: NonNullable<LoggedPublish['changes']>): readonly string[] => [
  ...new Set(edits.flatMap(({ actor: { browser, name } }) => browser?.name ?? name ?? [])),
]

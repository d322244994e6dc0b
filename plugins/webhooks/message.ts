import type { ChangeEvent } from '../draft/port.ts'
import type { LoggedPublish } from '../publish/port.ts'
import type { Message } from './outbox.ts'

/** A change of a large draft names so many of its pages, and tells how many there are. */
const mostSlugs = 500

type Told = Pick<Message, 'type' | 'payload'>

const toMessage = (type: Told['type'], timestamp: string, data: object): Told => ({ type, payload: JSON.stringify({ type, timestamp, data }) })

/** What receivers are told of a change: where it happened and which pages, never their content. */
export function changeMessage({ siteId, session, previewVersion: version, source, channel, slugs, removedSlugs = [], configChanged = false, at }: ChangeEvent): Told {
  const pages = { slugs: slugs.slice(0, mostSlugs), removedSlugs: removedSlugs.slice(0, mostSlugs), pageCount: slugs.length + removedSlugs.length }
  return toMessage('draft.changed', at, { siteId, session, version, source, channel, ...pages, configChanged })
}

/** What receivers are told of a publish; `triggered` says that its deployment may still fail, which is told then. */
export function publishMessage({ id: { siteId, session }, publishId, status, version, target, slugs, at }: LoggedPublish): Told {
  const pages = { slugs: slugs.slice(0, mostSlugs), pageCount: slugs.length }
  return toMessage(status === 'failed' ? 'publish.failed' : 'publish.completed', at, { siteId, session, version, publishId, status, target, ...pages })
}

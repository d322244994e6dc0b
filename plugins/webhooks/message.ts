import type { ChangeEvent } from '../draft/port.ts'
import type { LoggedPublish } from '../publish/port.ts'
import type { Message } from './outbox.ts'

/** A change of a large draft names so many of its pages, and tells how many there are. */
const mostSlugs = 500

type Content = Pick<Message, 'type' | 'payload'>

const toMessage = (type: Content['type'], timestamp: string, data: object): Content => ({ type, payload: JSON.stringify({ type, timestamp, data }) })

/** The message about a change: where it happened and which pages, never their content. */
export function changeMessage({ siteId, session, previewVersion: version, source, channel, slugs, removedSlugs = [], configChanged = false, at }: ChangeEvent): Content {
  const pages = { slugs: slugs.slice(0, mostSlugs), removedSlugs: removedSlugs.slice(0, mostSlugs), pageCount: slugs.length + removedSlugs.length }
  return toMessage('draft.changed', at, { siteId, session, version, source, channel, ...pages, configChanged })
}

/** The message about a publish; `triggered` says that its deployment may still fail, which is another message then. */
export function publishMessage({ id: { siteId, session }, publishId, status, version, target, slugs, at }: LoggedPublish): Content {
  const pages = { slugs: slugs.slice(0, mostSlugs), pageCount: slugs.length }
  return toMessage(status === 'failed' ? 'publish.failed' : 'publish.completed', at, { siteId, session, version, publishId, status, target, ...pages })
}

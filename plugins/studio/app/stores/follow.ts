/** Follows the changes of the draft, and catches up with what it has missed. */
import { ApiError, stream, type Streamed } from '../service.ts'
import { isOwn } from './conflicts.ts'
import { connect, followNetwork, isOnline, rest } from './connection.ts'
import { changes, leavePage, loadPages, openPage, published, slug, version } from './draft.ts'
import { choose } from './history.ts'
import { people, tellAgain } from './presence.ts'
import { draftId, loadSites } from './site.ts'
import { loadConfig } from './site-config.ts'
import { say } from './toast.ts'
import { flushAll } from './typed.ts'
import { view } from './ui.ts'

type FollowedEvent = Exclude<Streamed<'GET /events'>, { readonly type: 'presence' }>

const shortestMs = 1000
const longestMs = 15_000

/** Follows the draft until the page is closed, by connections after each other. */
export async function followDraft(): Promise<void> {
  followNetwork()
  let lastEventId: string | undefined
  for (let pause = shortestMs; ; pause = Math.min(2 * pause, longestMs)) {
    try {
      const query = { ...draftId.value, presence: '1' } as const
      const events = stream('GET /events', { query, lastEventId, resume: false, signal: connect() })
      for await (const { id, data } of events) {
        pause = shortestMs
        isOnline.value = true
        if (data.type === 'hello') void begin()
        if (data.type === 'presence') people.value = data.people
        // A greeting with an id is the first one: what it stands for has not been read.
        else await take(data, data.type !== 'hello' || id !== undefined)
        lastEventId = id ?? lastEventId
      }
    } catch (error) {
      // The request asks for the password, and waits for it.
      if (error instanceof ApiError && error.status === 401) await loadPages().catch(() => undefined)
    }
    isOnline.value = false
    await rest(pause * (1 + Math.random()))
  }
}

/** What a new connection begins with: what was typed without one is stored. */
function begin(): Promise<void> {
  tellAgain()
  return flushAll()
}

/** Shows what a change has changed. */
async function take(data: FollowedEvent, isNews: boolean): Promise<void> {
  if ('previewVersion' in data) version.value = data.previewVersion
  if (!isNews) return
  changes.value += 1
  if (data.type === 'publish') return void (published.value += 1)
  const isAnything = !('slugs' in data)
  if (isAnything || data.configChanged) await Promise.all([loadSites(), loadConfig()])
  const isShown = isAnything || data.slugs.includes(slug.value)
  const isGone = 'removedSlugs' in data && data.removedSlugs?.includes(slug.value) === true
  if (isGone) leavePage()
  await Promise.all([loadPages(), isShown && !isGone && openPage(slug.value)])
  // What a person has decided has another channel.
  const isSite = data.type === 'draft' && data.source === 'site' && data.channel === 'site'
  if (isSite && !isOwn(data.previewVersion)) sayFollowed(data)
}

/** Says that the draft has followed its site, and leads to that line of the history. */
function sayFollowed({
  slugs,
  removedSlugs = [],
  previewVersion,
}: Extract<FollowedEvent, { type: 'draft' | 'history' }>) {
  const { size } = new Set([...slugs, ...removedSlugs])
  const what = size === 0 ? 'site settings' : size === 1 ? '1 page' : `${size} pages`
  const run = (): void => {
    choose(previewVersion)
    view.value = 'history'
  }
  say(`The site has changed: ${what} updated`, { text: 'Show', run })
}

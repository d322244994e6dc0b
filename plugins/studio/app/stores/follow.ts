/** Shows the changes of the draft as they come, and catches up with what was missed. */
import { effect, untracked } from '@preact/signals'
import { isOwn } from './conflicts.ts'
import { isOnline } from './connection.ts'
import { changes, leavePage, loadPages, openPage, pageVersion, published, slug, version } from './draft.ts'
import { followEvents, type DraftEvent, type TakeEvent } from './draft-events.ts'
import { choose } from './history.ts'
import { catchUp, goAlong } from './moves-of-pages.ts'
import { people, tellAgain } from './presence.ts'
import { loadSites } from './site.ts'
import { loadConfig } from './site-config.ts'
import { say } from './toast.ts'
import { flushAll, flushGone } from './typed.ts'
import { view } from './ui.ts'

type ChangeEvent = Extract<DraftEvent, { type: 'draft' | 'history' }>

/** Follows the draft until the page is closed. */
export function followDraft(): void {
  followEvents(take)
  // What was typed without a connection is stored, and the others see this person again.
  effect(() => {
    if (!isOnline.value) return
    untracked(tellAgain)
    void untracked(flushAll)
  })
}

/** Shows what a change has changed. */
const take: TakeEvent = async ({ id, data, isLate }) => {
  if (data.type === 'presence') return void (people.value = data.people)
  if ('previewVersion' in data) version.value = data.previewVersion
  // A greeting with an id is the first one: what it stands for has not been read.
  if (data.type === 'hello' && id === undefined) return void (published.value += isLate ? 1 : 0)
  changes.value += 1
  if (data.type === 'publish') return void (published.value += 1)
  const isAnything = !('slugs' in data)
  if (isAnything || data.configChanged) await Promise.all([loadSites(), loadConfig()])
  if (isAnything) await catchUp(pageVersion.value).catch(() => undefined)
  else if ('renamed' in data && data.renamed) goAlong(data.renamed, data.previewVersion)
  const isShown = isAnything || data.slugs.includes(slug.value)
  const isGone = 'removedSlugs' in data && data.removedSlugs?.includes(slug.value) === true
  if (isGone) leavePage()
  await Promise.all([loadPages(), isShown && !isGone && openPage(slug.value)])
  void flushGone()
  // What a person has decided has another channel.
  const isSite = data.type === 'draft' && data.source === 'site' && data.channel === 'site'
  if (isSite && !isOwn(data.previewVersion)) sayFollowed(data)
}

/** Says that the draft has followed its site, and leads to that line of the history. */
function sayFollowed({ slugs, removedSlugs = [], previewVersion }: ChangeEvent) {
  const { size } = new Set([...slugs, ...removedSlugs])
  const what = size === 0 ? 'site settings' : size === 1 ? '1 page' : `${size} pages`
  const run = (): void => {
    choose(previewVersion)
    view.value = 'history'
  }
  say(`The site has changed: ${what} updated`, { text: 'Show', run })
}

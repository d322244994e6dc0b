/** What a person can do to pages and to the site; each intent is one change that can be undone. */
import { change, changeRead } from '../edit/intents.ts'
import { randomId } from '../random-id.ts'
import { call, sentenceOf } from '../service.ts'
import { failed } from '../stores/connection.ts'
import { openPage, pages, slug, titleOf, version, type Operation } from '../stores/draft.ts'
import { isDocument, isUsedByCode } from '../stores/documents.ts'
import { typeOf } from '../stores/block-types.ts'
import { isSame } from '../stores/place.ts'
import { select } from '../stores/selection.ts'
import { config, loadConfig } from '../stores/site-config.ts'
import { draftId } from '../stores/site.ts'
import { say } from '../stores/toast.ts'
import type { StoreOutcome } from '../stores/typed.ts'
import { menuOf, withoutPage } from './menu.ts'
import { neighbour } from './tree.ts'

/** Applies operations on pages, and shows the page that the service names. */
async function changePages(what: string, ...ops: readonly Operation[]): Promise<boolean> {
  const applied = await change(
    what,
    ops.map((op) => ({ pageSlug: undefined, ...op })),
  )
  if (applied?.updatedSlug !== undefined && applied.updatedSlug !== slug.value)
    await show(applied.updatedSlug)
  return applied !== undefined
}

export async function show(next: string): Promise<void> {
  select(undefined)
  await openPage(next).catch((error: unknown) => say(sentenceOf(error)))
}

/** What a new page begins with: nothing, a block of a type, or what another page has. */
export type Start = { readonly type: string } | { readonly copyOf: string } | undefined

/** Adds a page, which the menu calls by its title. */
export function createPage(title: string, address: string, start: Start): Promise<boolean> {
  const what = `${title} added`
  const [entry] = menuOf([{ slug: address, title }], undefined)
  const isNamed = address === '/' || entry?.derived === title
  const menu =
    isNamed || isDocument(address)
      ? []
      : [{ op: 'update_site_config', patch: { navLabels: { [address]: title } } }]
  if (start && 'copyOf' in start) {
    const copy = { op: 'duplicate_page', pageSlug: start.copyOf, newPageSlug: address, newTitle: title }
    return changePages(what, copy, ...menu)
  }
  const props = start && { ...typeOf.value(start.type)?.defaultProps }
  const id = `b_${randomId().slice(0, 8)}`
  const blocks = start ? [{ id, type: start.type, props }] : []
  return changePages(what, { op: 'create_page', page: { slug: address, title, blocks } }, ...menu)
}

export async function copyPage(of: string): Promise<boolean> {
  if (!isUsedByCode(of)) return changePages(`${titleOf(of)} copied`, { op: 'duplicate_page', pageSlug: of })
  say(staysForCode)
  return false
}

const staysForCode = 'Code of the website uses this file: it is not copied or deleted here.'

/** Gives a page another address. Its links and its place in the menu follow. */
export const readdress = (of: string, address: string): Promise<boolean> =>
  changePages(`${titleOf(of)} is now at ${address}`, {
    op: 'rename_page',
    pageSlug: of,
    newPageSlug: address,
    newTitle: titleOf(of),
  })

/**
 * Deletes a page, and what the menu has of it, as one change; its visitors are led to another page, if one is
 * named.
 */
export async function removePage(of: string, redirectTo?: string): Promise<void> {
  if (isUsedByCode(of)) return say(staysForCode)
  const removal = { op: 'remove_page', pageSlug: of, ...(redirectTo !== undefined && { redirectTo }) }
  const applied = await changeRead(`${titleOf(of)} deleted`, async () => {
    await loadConfig()
    const menuPatch = withoutPage(config.value, of)
    return menuPatch ? [removal, { op: 'update_site_config', patch: menuPatch }] : [removal]
  })
  if (applied && of === slug.value) await show(applied.updatedSlug ?? '/')
}

/** Moves a page by one among all pages, which is its place in the menu. */
export function movePage(of: string, by: -1 | 1): void {
  if (isDocument(of)) return say('Documents are in the order of their files.')
  if (of === '/') return say('The home page is always first.')
  const to = neighbour(pages.value, of, by)
  if (!to) return say(by === 1 ? 'This is the last page.' : 'This is the first page after home.')
  const { after, place, count } = to
  const op = { op: 'move_page', pageSlug: of, ...(after !== undefined && { afterPageSlug: after }) }
  void change(`${titleOf(of)} is now ${place} of ${count}`, [op])
}

/**
 * Leads visitors of an address to another one, or nowhere (`to` is empty); returns whether it was accepted.
 */
export async function changeRedirect(from: string, to: string): Promise<boolean> {
  const what = to === '' ? `${from} leads nowhere any more` : `${from} leads to ${to}`
  const op = { op: 'update_site_config', pageSlug: undefined, patch: { redirects: { [from]: to } } }
  const isAccepted = (await change(what, [op])) !== undefined
  await refresh()
  return isAccepted
}

type Guidance = 'purpose' | 'tone' | 'constraints'

/** What the chat should know of the site, as a text; rules are one a line. */
export const guidanceIn = (name: Guidance): string => [config.value?.[name] ?? ''].flat().join('\n')

/**
 * Stores what the chat should know of the site, which is not published; what others have stored meanwhile is
 * returned instead.
 */
export async function storeGuidance(
  what: string,
  name: Guidance,
  value: string,
  on: string,
): Promise<StoreOutcome> {
  const storedForm = (text: string) =>
    name === 'constraints' ? text.split('\n').filter((line) => line.trim()) : text
  try {
    await loadConfig()
    const now = guidanceIn(name)
    if (!isSame(storedForm(now), storedForm(on)) && !isSame(storedForm(now), storedForm(value)))
      return { theirs: now }
    await call('PUT /draft/site-config', {
      body: { ...draftId.value, config: { [name]: storedForm(value) } },
    })
    await refresh()
    const undo = async (): Promise<void> => {
      if ('theirs' in (await storeGuidance(what, name, on, value))) say('It was changed since.')
    }
    say(`${what} saved`, { text: 'Undo', run: () => void undo() })
    return { version: version.value }
  } catch (error) {
    return failed(error)
  }
}

/** Reads the settings of the site again, and the page, which shows them. */
export async function refresh(): Promise<void> {
  await Promise.all([loadConfig(), openPage(slug.value)]).catch(() => undefined)
}

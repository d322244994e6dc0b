import type { Action } from './action.ts'
import { askingActions } from './asks.ts'
import { blockActions } from './blocks.ts'
import { fieldActions } from './fields.ts'
import { linkActions } from './links.ts'
import { newBlockActions } from './new-blocks.ts'
import { optionActions } from './options.ts'
import { pageActions } from './pages.ts'
import { rowActions } from './rows.ts'
import { siteActions } from './site.ts'
import { textActions } from './texts.ts'

/** All actions; the first one that fits and does not reject wins. */
const actions: readonly Action[] = [
  ...optionActions, ...siteActions, ...pageActions, ...linkActions, ...textActions, ...fieldActions, ...rowActions,
  ...newBlockActions, ...blockActions, ...askingActions,
]

const byVerbs = new Map<string, readonly Action[]>()

/** The actions for the own or inherited verbs of a clause. */
export function actionsFor(verbs: Action['verbs']): readonly Action[] {
  const key = verbs.join()
  const found = byVerbs.get(key) ?? actions.filter((action) => action.verbs.some((verb) => verbs.includes(verb)))
  byVerbs.set(key, found)
  return found
}

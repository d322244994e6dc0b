import type { Action } from './action.ts'
import { askingActions } from './asks.ts'
import { blockActions } from './blocks.ts'
import { fieldActions } from './fields.ts'
import { linkActions } from './links.ts'
import { optionActions } from './options.ts'
import { pageActions } from './pages.ts'
import { rowActions } from './rows.ts'
import { siteActions } from './site.ts'
import { textActions } from './texts.ts'

/** Everything that can be asked for; where two fit a reading equally well, the earlier one counts. */
const actions: readonly Action[] = [
  ...optionActions, ...siteActions, ...pageActions, ...linkActions, ...textActions, ...fieldActions, ...rowActions, ...blockActions, ...askingActions,
]

const byVerbs = new Map<string, readonly Action[]>()

/** The actions for verbs that a clause has or takes over. */
export function actionsFor(verbs: Action['verbs']): readonly Action[] {
  const key = verbs.join()
  const found = byVerbs.get(key) ?? actions.filter((action) => action.verbs.some((verb) => verbs.includes(verb)))
  byVerbs.set(key, found)
  return found
}

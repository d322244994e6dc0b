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
export const actions: readonly Action[] = [
  ...optionActions, ...siteActions, ...pageActions, ...linkActions, ...textActions, ...fieldActions, ...rowActions, ...blockActions, ...askingActions,
]

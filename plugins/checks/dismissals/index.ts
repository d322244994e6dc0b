import { clock, definePlugin } from '../../../kernel/index.ts'
import { changeParticipants } from '../../draft/port.ts'
import { store } from '../../store/port.ts'
import { dismissals } from './port.ts'
import { createDismissals, followRenames, dismissalMarks } from './service.ts'

/** Keeps the dismissed findings of the checks, apart from them because it takes part in changes of drafts. */
export default definePlugin({
  name: 'checks-dismissals',
  tag: 'Checks',
  needs: { store, clock },
  collections: [dismissalMarks],
  gives: { dismissals, follow: changeParticipants },
}).setup(({ needs: { store, clock } }) => ({
  gives: { dismissals: createDismissals(store, clock, 5_000), follow: followRenames },
}))

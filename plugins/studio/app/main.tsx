/** The studio: loads what it shows, and follows the changes of the draft. */
import { render } from 'preact'
import { holdDrops } from './shell/drops.ts'
import { listenToKeys } from './shell/keys.ts'
import { Shell } from './shell/shell.tsx'
import { followWidths } from './stores/widths.ts'
import { sentenceOf } from './service.ts'
import { followAccess } from './stores/access.ts'
import { loadBlockTypes } from './stores/block-types.ts'
import { resumeChat } from './chat/chat-store.ts'
import { loadPages, openPage, slug, slugIn } from './stores/draft.ts'
import { followFirstMinute } from './shell/first-minute-store.ts'
import { followDraft } from './stores/follow.ts'
import { followUnsaved } from './stores/unsaved.ts'
import { catchUpUnsaved } from './stores/moves-of-pages.ts'
import { followPresence } from './stores/presence.ts'
import { followReview } from './stores/review.ts'
import { isToChoose, keepSite, loadSites } from './stores/site.ts'
import { loadConfig } from './stores/site-config.ts'
import { followSteps } from './shell/steps.ts'
import { say } from './stores/toast.ts'
import { askBeforeLeaving, followTyping } from './stores/typed.ts'

followAccess()
// The service answers while the shell is drawn.
const listed = loadSites()
const element = document.getElementById('studio')
if (element) render(<Shell />, element)
listenToKeys()
holdDrops()
followWidths()
followFirstMinute()
askBeforeLeaving()
followTyping()

try {
  await listed
  if (isToChoose.value) await new Promise(() => undefined)
  keepSite()
  followUnsaved()
  slug.value = slugIn(location.search)
  await Promise.all([openPage(slug.value), loadPages(), loadBlockTypes()])
  followReview()
  followSteps()
  void catchUpUnsaved().catch(() => undefined)
  void loadConfig().catch(() => undefined)
  void resumeChat().catch(() => undefined)
  followPresence()
  followDraft()
} catch (error) {
  say(sentenceOf(error))
}

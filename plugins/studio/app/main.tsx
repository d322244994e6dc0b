/** The studio: loads what it shows, and follows the changes of the draft. */
import { render } from 'preact'
import { listenToKeys } from './shell/keys.ts'
import { Shell } from './shell/shell.tsx'
import { sentenceOf } from './service.ts'
import { loadBlockTypes } from './stores/block-types.ts'
import { followDraft, loadPages, openPage, slug } from './stores/draft.ts'
import { followReview } from './stores/review.ts'
import { loadSites } from './stores/site.ts'
import { say } from './stores/toast.ts'

const element = document.getElementById('studio')
if (element) render(<Shell />, element)
listenToKeys()

try {
  await loadSites()
  slug.value = new URLSearchParams(location.search).get('slug') ?? '/'
  await Promise.all([loadPages(), openPage(slug.value), loadBlockTypes()])
  followReview()
  void followDraft()
} catch (error) {
  say(sentenceOf(error))
}

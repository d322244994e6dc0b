/** The editor routes of a website, asked for by the service. */
import { computed, signal } from '@preact/signals'
import { call } from '../service.ts'
import { isDocument } from './documents.ts'
import { isListed, notice, pages, slug } from './draft.ts'
import type { draftId } from './site.ts'

/** Which of them answer as they should. */
interface EditorRoutes {
  readonly blocks: boolean
  readonly pages: boolean
}

/** Those of the website; `undefined` until the service knows them. */
export const routes = signal<EditorRoutes | undefined>(undefined)
/** Whether the pages of the website are not known, because they could not be read. */
export const isUnread = computed(() => notice.value !== undefined && routes.value?.pages !== true)

/** Whether the site is known to have no pages. */
export const hasNoPages = computed(() => isListed.value && pages.value.length === 0 && !isUnread.value)

/** Why there is no page to show. */
export function whyNoPage(): string {
  if (pages.value.some(({ slug }) => isDocument(slug)))
    return 'The code of the website makes this page. Click a text on it to edit that, or open a document.'
  if (pages.value.length > 0) return `There is no page at ${slug.value}. Choose another one above, or add it.`
  return isUnread.value ? 'The pages of the site could not be read.' : 'The site has no pages yet.'
}

/** Asks the website of a draft; `undefined` where the answer is not known. */
export async function askForRoutes(draft: (typeof draftId)['value']): Promise<EditorRoutes | undefined> {
  const answer = await call('POST /checks/integration', { body: draft }).catch(() => undefined)
  const isRight = (check: string) => answer?.results.some(({ id, ok }) => ok && id === check) === true
  return answer && { blocks: isRight('site.reachable'), pages: isRight('site.pages') }
}

/** Whether a website is known to have none of them. */
export const hasNone = (routes: EditorRoutes | undefined): boolean =>
  routes !== undefined && !routes.blocks && !routes.pages

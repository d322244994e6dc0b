/** The editor routes of a website, asked for by the service. */
import { call } from '../service.ts'
import type { draftId } from './site.ts'

/** Which of them answer as they should. */
export interface EditorRoutes {
  readonly blocks: boolean
  readonly pages: boolean
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

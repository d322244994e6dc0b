/** What keeps the studio from showing a website, asked for when the sites are listed. */
import { signal } from '@preact/signals'
import { call } from '../service.ts'
import { askForRoutes, hasNone } from '../stores/editor-routes.ts'
import { session, sites } from '../stores/site.ts'

const sentences = {
  allowed: undefined,
  unreachable: 'does not answer',
  elsewhere: 'leads to another address',
  refused: 'refuses the frame',
} as const

/** The troubles by the id of the site; a site that is not asked yet has none. */
export const troubles = signal<ReadonlyMap<string, string>>(new Map())

/** The number of sites that are asked. */
const most = 20

/** Asks the sites whether the studio can show their drafts. */
export function askSites(): void {
  for (const { id, mounted, previewUrl } of (sites.value ?? []).slice(0, most))
    if (!mounted && previewUrl !== undefined) void ask(id)
}

const routesOf = async (siteId: string): Promise<string | undefined> =>
  hasNone(await askForRoutes({ siteId, session })) ? 'no editor routes' : undefined

async function ask(siteId: string): Promise<void> {
  const query = { siteId, session, slug: '/', editorOrigin: location.origin, version: 'draft' } as const
  const answer = await call('GET /sites/framing', { query }).catch(() => undefined)
  const trouble = answer && (sentences[answer.state] ?? (await routesOf(siteId)))
  const others = [...troubles.value].filter(([id]) => id !== siteId)
  troubles.value = new Map(trouble === undefined ? others : [...others, [siteId, trouble]])
}

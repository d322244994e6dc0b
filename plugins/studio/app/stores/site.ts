import { computed, signal } from '@preact/signals'
import { call, type Answer } from '../service.ts'
import { newest } from './newest.ts'
import { narrowPolicy } from './policy.ts'

export type Site = Answer<'GET /sites'>['sites'][number]

const query = new URLSearchParams(location.search)
/** `undefined` until they are loaded. */
export const sites = signal<readonly Site[] | undefined>(undefined)
/** The site that this browser opened last. */
const lastSite = 'content-orchestrator:site'
const chosen = signal(query.get('siteId') ?? localStorage.getItem(lastSite))
/** The name of the draft that is edited. */
export const session = query.get('session') ?? 'dev'

/** The site that is named, else the last one or the only one; `undefined` while a person has to choose. */
export const site = computed(() => {
  const listed = sites.value
  return listed?.find(({ id }) => id === chosen.value) ?? (listed?.length === 1 ? listed[0] : undefined)
})
/** Whether there are several sites, and none is chosen. */
export const isToChoose = computed(() => site.value === undefined && (sites.value?.length ?? 0) > 1)

/** The site stays that of this page, whatever is registered later, and is the one that this browser opens next. */
export function keepSite(): void {
  if (!site.value) return
  chosen.value = site.value.id
  localStorage.setItem(lastSite, site.value.id)
}

/** Opens another site, with a draft of the same name. */
export function openSite(id: string): void {
  const next = new URLSearchParams({ ...(query.has('session') && { session }), siteId: id })
  location.assign(`?${next.toString()}`)
}
/** The parameters that name the draft in every request. */
const siteId = computed(() => site.value?.id ?? '')
export const draftId = computed(() => ({ session, siteId: siteId.value }))

export const loadSites = newest(
  () => call('GET /sites', { query: { session } }),
  ({ sites: listed }) => {
    narrowPolicy(listed.flatMap(({ previewUrl, publishedUrl }) => [previewUrl, publishedUrl]))
    // The website of a mount is at the origin of this page, wherever that is.
    sites.value = listed.map((each) => ({
      ...each,
      ...(each.mounted && each.previewUrl === undefined && { previewUrl: location.origin }),
    }))
  },
)

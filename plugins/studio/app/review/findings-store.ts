/** What the checks say about the draft, and which of it a publish would send. */
import { computed, effect } from '@preact/signals'
import { call, type Answer } from '../service.ts'
import { loaded } from '../stores/loaded.ts'
import { diff, type Diff } from '../stores/review.ts'
import { chosen } from '../stores/ticks.ts'
import { draftId } from '../stores/site.ts'

export type ReviewFinding = Answer<'GET /checks'>['findings'][number]

export const {
  value: findings,
  failure,
  load: loadFindings,
} = loaded(async () => {
  const report = await call('GET /checks', { query: draftId.value })
  return report.findings.filter(({ dismissed }) => !dismissed)
})

/** Reads the findings of what is reviewed; returns the end of it. */
export const followFindings = (): (() => void) =>
  effect(() => {
    if (diff.value) void loadFindings()
  })

/** Whether a publish sends what a finding is about, or removes the page that it is about. */
function isPublished({ slug, severity, value }: ReviewFinding, { pages, siteConfig }: Diff): boolean {
  if (slug === undefined) return severity === 'error' || siteConfig.fieldDiffs.length > 0
  return pages.some((page) =>
    page.status === 'removed' ? page.slug === value : page.slug === slug && page.status !== 'unchanged',
  )
}

/** The findings of what will be published, and the others. */
export const sides = computed(() => {
  const shown = chosen.value
  const published = findings.value?.filter((each) => shown && isPublished(each, shown)) ?? []
  return { published, elsewhere: findings.value?.filter((each) => !published.includes(each)) ?? [] }
})

/** The errors that a publish would show to visitors. */
export const errors = computed(() => sides.value.published.filter(({ severity }) => severity === 'error'))

/** Says that there are errors; nothing without one. */
export const unsolved = computed(() => {
  const { length } = errors.value
  return length === 0 ? '' : `${length === 1 ? '1 error is' : `${length} errors are`} not solved.`
})

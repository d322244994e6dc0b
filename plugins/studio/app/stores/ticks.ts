/** What of the review a publish sends: everything, but for what was unticked. */
import { computed, signal } from '@preact/signals'
import { countOf, diff, type Diff } from './review.ts'

/** Under which the header and the menu are ticked; no page has this address. */
export const settings = ''

const unticked = signal<ReadonlySet<string>>(new Set())

export const isTicked = (slug: string): boolean => !unticked.value.has(slug)

export function tick(slug: string, isOn: boolean): void {
  unticked.value = isOn ? unticked.value.difference(new Set([slug])) : unticked.value.union(new Set([slug]))
}

export const tickAll = (): void => void (unticked.value = new Set())

/** The differences that are ticked, with what is to be decided in them. */
export const chosen = computed((): Diff | undefined => {
  const shown = diff.value
  return (
    shown && {
      ...shown,
      pages: shown.pages.filter(({ slug }) => isTicked(slug)),
      siteConfig: isTicked(settings) ? shown.siteConfig : { ...shown.siteConfig, fieldDiffs: [] },
      conflicts: shown.conflicts.filter(({ slug }) => isTicked(slug)),
    }
  )
})

const changedIn = ({ pages }: Diff): readonly string[] =>
  pages.filter(({ status }) => status !== 'unchanged').map(({ slug }) => slug)

/** Whether there is more than one thing to choose from. */
export const canChoose = computed(() => {
  const shown = diff.value
  return shown !== undefined && changedIn(shown).length + Math.min(shown.siteConfig.fieldDiffs.length, 1) > 1
})

/** The parameters of a publish of what is ticked; none if that is everything. */
export function partOf(shown: Diff | undefined, ticked: Diff | undefined) {
  if (!shown || !ticked || countOf(shown) === countOf(ticked)) return {}
  return { pages: [...changedIn(ticked)], siteConfig: ticked.siteConfig.fieldDiffs.length > 0 }
}

/** Why what is ticked cannot be published yet; `undefined` if it can. */
export function whyNotYet(shown: Diff | undefined, ticked: Diff | undefined): string | undefined {
  if (shown?.branch) return 'The folder has another branch. Choose first whether the draft follows it.'
  if (shown?.shrunk) return 'The site has lost most of its pages. Choose first what becomes of them.'
  const open = ticked?.conflicts.length ?? 0
  if (open === 1) return 'One change was made here and on the site. Decide it first.'
  if (open > 1) return `${open} changes were made here and on the site. Decide them first.`
  const { pages, siteConfig } = partOf(shown, ticked)
  if (!pages || pages.length > 0) return undefined
  return siteConfig ? 'Tick a page too: site settings go with one.' : 'Tick what to publish.'
}

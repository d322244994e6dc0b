import type { ComponentType } from 'preact'
import { History } from '../history/history.tsx'
import type { IconName } from '../parts/icons.ts'
import { Review } from '../review/review.tsx'
import type { ViewName } from '../stores/ui.ts'

interface Entry {
  readonly name: ViewName
  readonly text: string
  readonly icon: IconName
  /** What is shown instead of the page with its outline, chat and fields. */
  readonly View?: ComponentType
}

/** The views in the order of the rail. */
export const views: readonly Entry[] = [
  { name: 'edit', text: 'Edit', icon: 'square-pen' },
  { name: 'review', text: 'Review', icon: 'shield-check', View: Review },
  { name: 'history', text: 'History', icon: 'history', View: History },
]

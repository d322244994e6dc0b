import type { ComponentType } from 'preact'
import { History } from '../history/history.tsx'
import { InsightsView } from '../insights/index.tsx'
import { MediaView } from '../media/index.tsx'
import type { IconName } from '../parts/icons.ts'
import { Review } from '../review/review.tsx'
import { may, type Permission } from '../stores/access.ts'
import type { ViewName } from '../stores/ui.ts'

interface ListedView {
  readonly name: ViewName
  readonly text: string
  readonly icon: IconName
  /** What is shown instead of the page with its outline, chat and fields. */
  readonly View?: ComponentType
  /** Who may see it. */
  readonly needs?: Permission
}

/** The views in the order of the rail. */
export const views: readonly ListedView[] = [
  { name: 'edit', text: 'Edit', icon: 'square-pen' },
  { name: 'review', text: 'Review', icon: 'shield-check', View: Review },
  { name: 'history', text: 'History', icon: 'history', View: History },
  { name: 'media', text: 'Media', icon: 'images', View: MediaView },
  { name: 'insights', text: 'Insights', icon: 'chart-column', View: InsightsView, needs: 'admin' },
]

/** The views that the token of this tab allows. */
export const allowedViews = (): readonly ListedView[] =>
  views.filter(({ needs }) => needs === undefined || may(needs))

import type { Scope } from '../../scope/port.ts'
import type { PendingPlans } from '../sessions/pending-plans.ts'
import type { ChatRunner, PlacedRunner } from './runner.ts'

/** Runs requests that name no page on the page of the plan that waits; on the home page where none does. */
export function placed(runner: PlacedRunner, { scope, pendingPlans }: { readonly scope: Scope; readonly pendingPlans: PendingPlans }): Pick<ChatRunner, 'run'> {
  return {
    async run(request, how) {
      const slug = request.slug ?? (await pendingPlans.find(scope.draft(request)))?.requestedSlug ?? '/'
      return runner.run({ ...request, slug }, how)
    },
  }
}

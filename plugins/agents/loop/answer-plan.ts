import type { ChatRunner, RunEvent } from '../../chat/port.ts'
import type { Actor } from '../../draft/port.ts'
import { noUsage } from './loop.ts'
import type { ContentEvent, ContentOutcome, ContentRun } from './port.ts'

/** Applies or drops the pending plan of a draft, as chat does with the same answer. */
export async function answerPlan(
  chat: ChatRunner,
  { id: { siteId, session }, message, context = {}, onEvent, signal, limits }: ContentRun,
  { id, actor }: { readonly id: string; readonly actor: Actor },
): Promise<ContentOutcome> {
  const { slug = '/', componentsManifest, siteCapabilities } = context
  const emit = (event: RunEvent): void => {
    const shown = toEvent(event)
    if (shown) onEvent?.(shown)
  }
  const { status, result } = await chat.run(
    { siteId, session, slug, message, executionMode: 'auto', componentsManifest, siteCapabilities },
    { id, actor, signal, limits, emit, isStreamed: true },
  )
  const { summary, changes, previewVersion, focusBlockId, undoSlug, plannerSource, modelUsed, debug } = result
  return {
    status: status === 200 ? 'applied' : 'error',
    summary,
    changes,
    previewVersion,
    focusBlockId,
    slugs: undoSlug === undefined ? [] : [undoSlug],
    opCount: debug.opCount ?? 0,
    suggestions: [],
    toolCalls: [],
    usage: noUsage,
    costUsd: 0,
    provider: plannerSource,
    modelUsed,
    traceId: id,
  }
}

function toEvent(event: RunEvent): ContentEvent | undefined {
  switch (event.type) {
    case 'status':
    case 'changelog_entry':
      return event
    case 'op_applied': {
      const { previewVersion, focusBlockId, op } = event
      const focus = focusBlockId !== null && { focusBlockId }
      return { type: 'op_applied', toolName: op?.op ?? 'approved plan', previewVersion, ...focus }
    }
  }
  return undefined
}

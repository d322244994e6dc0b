import type { SkipReason } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { ChatResult } from '../result.ts'

/** What happens in a run, in the form in which streams tell it. Exactly one of the last three ends it. */
export type RunEvent =
  | { readonly type: 'status'; readonly message: string }
  | { readonly type: 'heartbeat'; readonly stage: 'planning' | 'applying'; readonly label: string; readonly elapsedMs: number }
  | { readonly type: 'token' | 'thinking_token' | 'summary_token'; readonly text: string }
  | { readonly type: 'thinking_start' }
  | { readonly type: 'thinking_end'; readonly durationMs?: number }
  | { readonly type: 'changelog_entry'; readonly entry: string }
  | { readonly type: 'field_draft'; readonly blockId: string; readonly editablePath: string; readonly value: string; readonly pageSlug?: string }
  | { readonly type: 'op_candidate'; readonly index: number; readonly op: Operation }
  | { readonly type: 'plan_meta'; readonly intent?: string; readonly summary?: string; readonly estimatedOps?: number }
  | {
      readonly type: 'op_applied'
      readonly index: number
      readonly total: number
      readonly op?: Operation
      readonly previewVersion: number
      readonly focusBlockId: string | null
      readonly updatedSlug?: string
    }
  | { readonly type: 'op_skipped'; readonly index: number; readonly total: number; readonly op?: Operation; readonly reason: SkipReason }
  | { readonly type: 'rollback_started'; readonly appliedCount: number; readonly reason?: string }
  | { readonly type: 'rollback_done'; readonly restoredVersion?: number }
  | { readonly type: 'image_progress'; readonly percent: number; readonly stage: string }
  | { readonly type: 'final'; readonly result: ChatResult }
  | { readonly type: 'error'; readonly result?: ChatResult; readonly code?: number }
  | { readonly type: 'canceled'; readonly message?: string }

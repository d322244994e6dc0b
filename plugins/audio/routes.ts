import * as v from 'valibot'
import { defineRoutes, gates } from '../../kernel/index.ts'
import { mostBytes, recordingTypes } from './recording.ts'

/** What was said in a recording. */
export const Transcript = v.object({
  /** Empty where nothing was said. */
  text: v.string(),
  /** The model that wrote it down. */
  model: v.string(),
  bytes: v.number(),
  /** What the recording is by its content. */
  mimeType: v.string(),
  /** The model that is asked first gave no answer. */
  fallbackUsed: v.boolean(),
})
export type Transcript = v.InferInput<typeof Transcript>

/** What a form has beside its file. */
const fieldsBytes = 1024 * 1024

export const routes = defineRoutes({
  transcribe: {
    method: 'POST',
    path: '/audio/transcribe',
    gate: gates.access,
    can: 'plan',
    sites: 'none',
    summary: 'Writes down what is said in a recording, sent in the field `audio` of a form.',
    upload: { field: 'audio', fields: ['language', 'prompt'], types: recordingTypes, maxBytes: mostBytes },
    limit: mostBytes + fieldsBytes,
    replies: { 200: Transcript },
    refusals: {
      400: 'file_required, wrong_field, file_empty, too_many_parts, invalid_request',
      413: 'file_too_large',
      415: 'unsupported_audio_type, content_mismatch',
      429: 'rate_limited',
      502: 'transcription_failed',
      503: 'transcription_not_configured, transcription_busy, file_types_missing',
      504: 'transcription_timeout',
    },
    internal: true,
  },
})

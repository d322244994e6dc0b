import { defineRefusal } from '../../../kernel/index.ts'

export const refusals = {
  unsupportedType: defineRefusal({
    status: 415,
    code: 'unsupported_audio_type',
    reason: () => 'This audio type is not supported. Send MP3, MP4, M4A, WAV, WebM, Ogg or FLAC.',
  }),
  invalidField: defineRefusal({ status: 400, code: 'invalid_request', reason: (what: string) => what }),
  busy: defineRefusal({
    status: 503,
    code: 'transcription_busy',
    reason: () => 'Too many recordings are being transcribed. Try again in a few seconds.',
    headers: () => ({ 'retry-after': '5' }),
  }),
  notConfigured: defineRefusal({
    status: 503,
    code: 'transcription_not_configured',
    reason: () => 'Transcription is not configured. Set OPENAI_API_KEY and restart the service.',
  }),
  failed: defineRefusal({
    status: 502,
    code: 'transcription_failed',
    reason: (_detail: string) =>
      'The recording could not be transcribed. Try again; `detail` lists the failure of each model.',
    extra: (detail) => ({ detail }),
  }),
  timedOut: defineRefusal({
    status: 504,
    code: 'transcription_timeout',
    reason: (_detail: string) =>
      'No model transcribed the recording in time. Try again, or send a shorter one.',
    extra: (detail) => ({ detail }),
  }),
} as const

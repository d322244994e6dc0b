import { defineRefusal } from '../../kernel/index.ts'

export const refusals = {
  unsupportedType: defineRefusal({
    status: 415,
    code: 'unsupported_audio_type',
    reason: () => 'Recordings of this type are not accepted. Send MP3, MP4, M4A, WAV, WebM, Ogg or FLAC.',
  }),
  invalidField: defineRefusal({ status: 400, code: 'invalid_request', reason: (what: string) => what }),
  busy: defineRefusal({
    status: 503,
    code: 'transcription_busy',
    reason: () => 'Too many recordings are being written down. Try again in a few seconds.',
    headers: () => ({ 'retry-after': '5' }),
  }),
  notConfigured: defineRefusal({
    status: 503,
    code: 'transcription_not_configured',
    reason: () => 'Nothing here can write down recordings. Set OPENAI_API_KEY, and restart the service.',
  }),
  failed: defineRefusal({
    status: 502,
    code: 'transcription_failed',
    reason: (_detail: string) => 'The recording could not be written down. Try again; `detail` says what each model answered.',
    extra: (detail) => ({ detail }),
  }),
  tookTooLong: defineRefusal({
    status: 504,
    code: 'transcription_timeout',
    reason: (_detail: string) => 'No model wrote the recording down in time. Try again, or send a shorter one.',
    extra: (detail) => ({ detail }),
  }),
} as const

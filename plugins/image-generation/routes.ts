import { defineRoutes, events, gates, jsonOrEvents } from '../../kernel/index.ts'
import { GeneratedImage, GenerateRequest, ImageChatAnswer, ImageChatEvent, ImageChatRequest } from './schemas.ts'

const failures = { 422: 'image_refused', 429: 'rate_limited', 502: 'image_generation_failed, image_no_data', 504: 'image_timeout', 507: 'storage_full' }

export const routes = defineRoutes({
  generate: {
    method: 'POST',
    path: '/image/generate',
    gate: gates.access,
    sites: 'none',
    summary: 'Generates and stores an image.',
    body: GenerateRequest,
    replies: { 200: GeneratedImage },
    refusals: { ...failures, 400: 'prompt_required, prompt_too_long, unknown_provider, model_not_allowed', 503: 'image_provider_missing, canceled' },
  },
  chat: {
    method: 'POST',
    path: '/image/generate/chat',
    gate: gates.access,
    sites: 'none',
    summary: 'Generates images in a conversation. With `stream` the answer is sent as events, including failures after the first one.',
    body: ImageChatRequest,
    replies: { 200: jsonOrEvents(ImageChatAnswer, events(ImageChatEvent, { retry: 60_000, heartbeat: 15_000 })) },
    refusals: { ...failures, 400: 'prompt_required, prompt_too_long', 503: 'image_chat_not_configured, canceled' },
  },
})

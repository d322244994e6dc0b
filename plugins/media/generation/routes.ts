import { defineRoutes, events, gates, jsonOrEvents } from '../../../kernel/index.ts'
import { fileRefusals } from '../port.ts'
import { generationsSpent } from '../../models/usage/port.ts'
import { refusals } from './refusals.ts'
import {
  GeneratedImage,
  GenerateRequest,
  ImageChatAnswer,
  ImageChatEvent,
  ImageChatRequest,
} from './schemas.ts'

const failures = [
  refusals.promptRequired,
  refusals.promptTooLong,
  refusals.refused,
  refusals.busy,
  generationsSpent,
  refusals.failed,
  refusals.noData,
  refusals.canceled,
  refusals.timedOut,
  fileRefusals.storageFull,
]

export const routes = defineRoutes({
  generate: {
    method: 'POST',
    path: '/image/generate',
    gate: gates.access,
    sites: 'none',
    summary: 'Generates and stores an image.',
    body: GenerateRequest,
    replies: { 200: GeneratedImage },
    refusals: [
      ...failures,
      refusals.unknownProvider,
      refusals.modelNotAllowed,
      refusals.providerMissing,
      refusals.sharpMissing,
    ],
  },
  chat: {
    method: 'POST',
    path: '/image/generate/chat',
    gate: gates.access,
    sites: 'none',
    summary:
      'Generates images in a conversation. With `stream` the answer is sent as events, including failures after the first one.',
    body: ImageChatRequest,
    replies: {
      200: jsonOrEvents(ImageChatAnswer, events(ImageChatEvent, { retry: 60_000, heartbeat: 15_000 })),
    },
    refusals: [...failures, refusals.tooManyConversations, refusals.chatNotConfigured],
  },
})

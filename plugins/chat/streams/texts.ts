/** Status texts of streams. Programs read them, so they are not translated. */
export const texts = {
  started: 'Reading the request',
  finishing: 'The changes are in the draft, finalizing the response',
  stopping: 'Stopping',
  canceled: 'Stopped. The draft is as it was before.',
} as const

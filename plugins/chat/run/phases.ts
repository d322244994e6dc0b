/** What runs say while they work. Existing clients know their phases by these words, so they are the same in every language. */
export const phases = {
  planning: 'Planning the edit',
  varying: 'Writing variations',
  ready: 'Plan ready',
  images: 'Now resolving images',
  applying: 'Applying the plan and updating draft',
  finishing: 'Almost done, finalizing the response',
} as const

import { defineRefusal } from '../../kernel/index.ts'

export const deliveryNotFound = defineRefusal({
  status: 404,
  code: 'delivery_not_found',
  reason: () => 'No delivery has this id. GET /webhooks/deliveries lists the stored deliveries.',
})

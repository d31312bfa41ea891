export default function () {
  return {
  "webhook": {
    "title": "Other services",
    "lead": "Tells a chat, a website or a newsletter at once when something changes here. Such a service gives you an address for this, often called a “webhook”.",
    "none": "No service is notified of changes yet.",
    "add": "Add a service",
    "new": "nothing sent yet",
    "ok": "works",
    "failing": "has problems",
    "paused": "paused",
    "gone": "switched off: the other service is gone",
    "stopped": "switched off: it failed for five days",
    "since": "since {{date}}",
    "waiting": "waiting to be sent again: {{n}}",
    "test": "Send a test",
    "testText": "Sends a message at once and shows the response.",
    "accepted": "The other service has accepted it ({{status}}).",
    "notAccepted": "The other service has not accepted it. {{reason}}",
    "secret": "Secret",
    "secretText": "The other service uses it to check that messages come from here. After a change, the old one works for another day.",
    "secretButton": "Create a new secret",
    "secretTitle": "The secret for this service",
    "secretOnce": "Give it to the other service. It is shown only once.",
    "resume": "Switch on again",
    "pauseText": "What changes in the meantime is sent afterwards.",
    "resumed": "It is on again. Everything that was missed is being sent.",
    "wasPaused": "It is paused.",
    "removeText": "Nothing more will be sent, and all messages are deleted. This can’t be undone.",
    "removed": "The service has been removed.",
    "deliveries": "Messages",
    "noDeliveries": "Nothing has been sent yet.",
    "delivered": "accepted",
    "waits": "next attempt {{date}}",
    "failed": "not accepted",
    "replaced": "replaced by a newer one",
    "tries": "attempts: {{n}}",
    "details": "Message and response",
    "message": "Message",
    "response": "Response",
    "noResponse": "The response was empty.",
    "retry": "Send again",
    "retryNamed": "Send again: {{name}}",
    "reasonPrivate": "The address leads into a private network.",
    "reasonTimeout": "There was no response within 15 seconds.",
    "reasonConnection": "There was no connection, or it broke.",
    "reasonInternal": "The calendar could not send it: its log says why.",
    "reasonRedirect": "It redirects to another address ({{status}}), which is not followed.",
    "reasonStatus": "It responded with {{status}}."
  },
  "fields": {
    "webhook": {
      "url": {
        "label": "Address",
        "help": "Where messages are sent. The other service tells you this address."
      },
      "events": {
        "label": "Notify it when",
        "options": {
          "event.created": "an event is added",
          "event.updated": "an event is changed",
          "event.deleted": "an event is removed",
          "event.published": "an event is published",
          "event.canceled": "an event is cancelled",
          "venue.created": "a venue is added",
          "venue.updated": "a venue is changed",
          "venue.deleted": "a venue is removed",
          "organizer.created": "an organizer is added",
          "organizer.updated": "an organizer is changed",
          "organizer.deleted": "an organizer is removed",
          "webhook.test": "Test"
        }
      },
      "filters": {
        "label": "Only some of them",
        "help": "For example “categories=music” or “categories=music&featured=true”. Leave this empty for everything that is public."
      },
      "active": {
        "label": "Switched on"
      },
      "secret": {
        "label": "Secret"
      }
    }
  },
  "history": {
    "webhook": "Other service"
  }
} as const
}

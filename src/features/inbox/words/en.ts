export default function () {
  return {
  "inbox": {
    "takenSubject": "Your e-mail to {{site}}",
    "taken": "{{site}} has received your e-mail. We look at it before anything in it is published.",
    "takenLinks": "Here you can see, change or withdraw what you sent, one address for each event:",
    "takenNext": "Once we have decided, you get another e-mail. Please don’t reply to this one.",
    "isPrivate": "Private according to its calendar file: {{titles}}.",
    "isOff": "Called off according to its calendar file, and left out: {{titles}}.",
    "isLeftOut": "Left out of its calendar file: “{{what}}”. {{why}}"
  }
} as const
}

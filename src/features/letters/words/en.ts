export default function () {
  return {
  "letter": {
    "title": "Newsletters",
    "lead": "Upcoming events by e-mail, once a week, to one address. Best use that of a mailing list, which people join and leave by themselves. It differs from news, which visitors sign up to themselves, each for what they choose.",
    "none": "There is no newsletter yet.",
    "add": "New newsletter",
    "unconfirmed": "waiting for confirmation",
    "paused": "paused",
    "next": "next: {{date}}",
    "asked": "Saved. A link has been sent to {{email}}: the first newsletter is sent once the address is confirmed.",
    "notAsked": "Saved, but the link to {{email}} could not be sent. Please try again later.",
    "ask": "Send the link again",
    "askText": "{{email}} has not been confirmed yet. Nothing is sent before that.",
    "preview": "Preview",
    "previewText": "As it would be sent now, with what is saved.",
    "plain": "As plain text",
    "test": "Send to me now",
    "testText": "Sends it to {{email}}.",
    "testNeeds": "To send it to yourself, first confirm your own address on the page of your account.",
    "tested": "It is on its way to you.",
    "failedNow": "It was not sent. {{reason}}",
    "resume": "Switch on again",
    "pauseText": "Nothing is sent until you switch it on again.",
    "resumed": "It is on again.",
    "wasPaused": "It is paused.",
    "removeText": "Nothing more is sent. This can’t be undone.",
    "removed": "The newsletter has been removed.",
    "deliveries": "What was sent",
    "noDeliveries": "Nothing has been sent yet.",
    "sent_one": "sent, with 1 event",
    "sent_other": "sent, with {{count}} events",
    "sending": "being sent",
    "unknown": "may or may not have been sent",
    "unknownText": "Sending was interrupted. Check whether it has arrived, and send it again if not.",
    "waiting": "next attempt {{date}}",
    "failed": "not sent",
    "emptied": "not sent: there were no events",
    "late": "not sent: it would have been too late",
    "forMe": "to you or another editor",
    "tries": "attempts: {{n}}",
    "retry": "Send again",
    "retryNamed": "Send again: {{name}}",
    "retried": "It was sent.",
    "reasonText": "The newsletter could not be composed.",
    "reasonSender": "The address of this calendar is not set up for sending.",
    "reasonRecipient": "The e-mail service does not send to this address.",
    "reasonLimit": "The e-mail service accepts no more at the moment.",
    "reasonUnknown": "The e-mail service did not respond clearly.",
    "reasonOther": "The e-mail service has refused it ({{code}})."
  },
  "fields": {
    "letter": {
      "name": {
        "label": "Name",
        "help": "What it is called here."
      },
      "filters": {
        "label": "Only some events",
        "help": "Tick what it announces. Where nothing is ticked, everything is meant.",
        "options": {
          "rest": "Further conditions, as a query"
        }
      },
      "days": {
        "label": "Days covered",
        "help": "From 1 to 62. If it is sent after noon, the rest of that day is added."
      },
      "weekday": {
        "label": "Weekday"
      },
      "hour": {
        "label": "Hour"
      },
      "language": {
        "label": "Language"
      },
      "subject": {
        "label": "Subject",
        "help": "The subject line of the e-mail. If left empty, the name is used."
      },
      "intro": {
        "label": "Opening text",
        "help": "Shown before the events. Plain text, optional."
      },
      "to": {
        "label": "To",
        "help": "One address. We first send it a link to confirm it."
      },
      "empty": {
        "label": "If there are no events",
        "options": {
          "skip": "Send nothing",
          "say": "Send a newsletter that says so"
        }
      },
      "active": {
        "label": "Switched on"
      }
    },
    "subscriber": {
      "email": {
        "label": "E-mail address",
        "help": "The address that gets news, or has been signed up."
      }
    }
  },
  "history": {
    "letter": "Newsletter",
    "subscriber": "Subscriber"
  },
  "mail": {
    "confirmLetter": "{{login}} wants {{site}} to send the newsletter “{{name}}” with upcoming events to this address, once a week."
  },
  "account": {
    "confirmLetter": "{{site}} sends the newsletter “{{name}}” to {{email}} once a week, as soon as you confirm this."
  },
  "news": {
    "consent": "I want {{site}} to send me news about coming events to this address, once a week at most, until I leave. The address is kept for that alone and passed on to nobody; it is not measured whether I read them. I can change this or leave at any time by the link in each e-mail.",
    "mailSubject": "Please confirm: news from {{site}}",
    "mailAsk": "Somebody, probably you, wants to get news from {{site}} at this address. Nothing is sent until you agree:",
    "mailHow": "To agree, open this address and press the button there:",
    "mailIgnore": "If this wasn’t you, do nothing: the address is deleted after three days.",
    "mailKnownSubject": "Your news from {{site}}",
    "mailKnown": "Somebody, probably you, has just signed up this address to news from {{site}}. It gets them already. Here you can change what comes, or leave:",
    "mailKnownEnd": "If this wasn’t you, do nothing: everything stays as it is.",
    "subject": "{{name}}, {{days}}",
    "change": "Change what comes",
    "leave": "Leave",
    "title": "News by e-mail",
    "lead": "Once a week, what is on in the next ten days: only what you tick. If nothing you chose is on, no e-mail comes.",
    "what": "What",
    "where": "Where",
    "who": "By whom",
    "chooseHelp": "Tick up to ten of each. Where nothing is ticked, everything is meant.",
    "day": "On which day",
    "email": "Your e-mail address",
    "send": "Send me the confirmation e-mail",
    "promise": "First you get an e-mail with a link; nothing else comes unless you press the button in it. Every e-mail has a link to leave. We don’t track whether you read it, and we give your address to no one.",
    "privacy": "Privacy policy",
    "lookTitle": "Look into your mail",
    "look": "If this address can get e-mails, one with a link will be there in a few minutes. An address gets one a day at most. If nothing comes, check the spam folder.",
    "tooMany": "Too many people have signed up at the moment. Please try again later.",
    "dayLimit": "The calendar has reached its limit for today. Please try again tomorrow.",
    "busy": "This did not work just now. Please try again in a moment.",
    "line": "Get news from {{site}} by e-mail",
    "link": "Newsletter",
    "sample": "What it would look like today",
    "confirmTitle": "Please confirm",
    "everything": "Everything",
    "confirm": "Yes, send me news",
    "notMe": "Wasn’t it you who signed up this address? Then do nothing, or erase it at once.",
    "erase": "Erase this address",
    "yours": "Your news",
    "confirmed": "Confirmed: from now on, {{site}} sends you news on the day that you chose.",
    "saved": "Your choice has been saved.",
    "save": "Save my choice",
    "leaveText": "No more e-mails come, and your address and choice are erased at once.",
    "left": "You have left",
    "leftText": "Your address and your choice have been erased. You won’t get any more e-mails.",
    "ended": "This link is no longer valid",
    "endedText": "Either the address has been erased already, or nobody confirmed it within three days, or there is a newer e-mail with another link.",
    "subscribers": "News subscribers",
    "subscribersLead": "People who have signed up at /news/. Nobody sees a list of them, and no backup has their addresses.",
    "subscribersOff": "Nobody can sign up at the moment: that needs e-mail (on Cloudflare, the paid plan), an imprint in the settings, and NEWS_FIRST_MAILS above 0.",
    "numbers": "Get news: {{confirmed}}. Not confirmed yet: {{unconfirmed}}. Different choices: {{choices}}. Waiting to be sent: {{waiting}}. Left out in the last seven days, as far as anybody knows: {{left_out}}.",
    "lookUpTitle": "One address",
    "lookUpText": "For somebody who writes to you. That you have looked is noted in the history, without the address.",
    "lookUp": "Look it up",
    "foundNone": "This address gets no news.",
    "foundConfirmed": "This address gets news on {{day}}; asked for {{asked}}, confirmed {{confirmed}} (UTC).",
    "foundUnconfirmed": "This address has been signed up for {{day}}, {{asked}} (UTC), and has not been confirmed.",
    "erased": "The address and its choice have been erased."
  }
} as const
}

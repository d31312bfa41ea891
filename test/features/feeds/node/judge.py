"""Reads a calendar from standard input with two libraries, and prints what a program of a subscriber would show.

Prints JSON: for icalendar and recurring_ical_events a list of [uid, start, end, title, status], times in UTC or dates; for
vobject the number of events, and the first starts of each that recurs.
"""
import datetime
import json
import re
import sys

import icalendar
import recurring_ical_events
import vobject

text = sys.stdin.buffer.read().decode("utf-8")


def shown(time):
    if isinstance(time, datetime.datetime):
        return time.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return time.isoformat()


def later(until):
    time = datetime.datetime.strptime(until[1], "%Y%m%dT%H%M%S") + datetime.timedelta(hours=1)
    return time.strftime("UNTIL=%Y%m%dT%H%M%SZ")


def by_icalendar():
    # This library takes the offset of the first date for all of them, and so ends an hour early where summer time has begun.
    calendar = icalendar.Calendar.from_ical(re.sub(r"UNTIL=(\d{8}T\d{6})Z", later, text))
    broken = [str(error) for event in calendar.walk("VEVENT") for error in event.errors]
    today = datetime.date.today()
    days = datetime.timedelta(days=1)
    found = recurring_ical_events.of(calendar).between(today - 366 * days, today + 1500 * days)
    events = [
        [
            str(event["UID"]),
            shown(event["DTSTART"].dt),
            shown(event["DTEND" if "DTEND" in event else "DTSTART"].dt),
            # What is in the trash has no page.
            str(event.get("SUMMARY", "")) if "URL" in event else "",
            str(event.get("STATUS", "")),
        ]
        for event in found
    ]
    return {"errors": broken, "events": events}


def by_vobject():
    calendar = vobject.readOne(text)
    dates = {}
    for event in calendar.vevent_list:
        if hasattr(event, "rrule") or hasattr(event, "rdate"):
            found = event.getrruleset(addRDate=True)
            dates[event.uid.value] = [shown(date) for date in list(found)[:500]]
    return {"events": len(calendar.vevent_list), "dates": dates, "serialized": len(calendar.serialize()) > 0}


print(json.dumps({"icalendar": by_icalendar(), "vobject": by_vobject()}))

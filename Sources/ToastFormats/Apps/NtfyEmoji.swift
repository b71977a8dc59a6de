/// The tags of ntfy that stand for an emoji: the most common of its list (docs.ntfy.sh/emojis).
enum NtfyEmoji {
    static let signs: [String: String] = [
        "+1": "👍️", "-1": "👎️", "100": "💯", "alarm_clock": "⏰", "ambulance": "🚑️", "anger": "💢", "ant": "🐜",
        "arrow_down": "⬇️", "arrow_up": "⬆️", "baby": "👶", "battery": "🔋", "bell": "🔔", "bike": "🚲", "bomb": "💣",
        "book": "📖", "boom": "💥", "bug": "🐛", "bulb": "💡", "calendar": "📆", "camera": "📷", "car": "🚗", "cd": "💿",
        "chart_with_downwards_trend": "📉", "chart_with_upwards_trend": "📈", "checkered_flag": "🏁", "clapper": "🎬",
        "cloud": "☁️", "clock": "🕐", "coffee": "☕", "computer": "💻", "construction": "🚧", "dart": "🎯", "dog": "🐶",
        "door": "🚪", "droplet": "💧", "email": "📧", "envelope": "✉️", "eyes": "👀", "facepalm": "🤦", "fire": "🔥",
        "floppy_disk": "💾", "gear": "⚙️", "gift": "🎁", "globe_with_meridians": "🌐", "grey_question": "❔",
        "hammer": "🔨", "heart": "❤️", "heavy_check_mark": "✔️", "heavy_dollar_sign": "💲", "hourglass": "⌛",
        "house": "🏠", "inbox_tray": "📥", "information_source": "ℹ️", "key": "🔑", "label": "🏷️", "lock": "🔒",
        "loudspeaker": "📢", "mag": "🔍", "mailbox": "📫", "memo": "📝", "money_with_wings": "💸", "moneybag": "💰",
        "movie_camera": "🎥", "no_entry": "⛔", "no_entry_sign": "🚫", "ok": "🆗", "ok_hand": "👌", "orange_circle": "🟠",
        "outbox_tray": "📤", "package": "📦", "partying_face": "🥳", "phone": "☎️", "pill": "💊", "poop": "💩",
        "pray": "🙏", "pushpin": "📌", "question": "❓", "rage": "😡", "recycle": "♻️", "robot": "🤖", "rocket": "🚀",
        "satellite": "📡", "shield": "🛡️", "skull": "💀", "snail": "🐌", "snowflake": "❄️", "sos": "🆘", "sparkles": "✨",
        "speech_balloon": "💬", "star": "⭐", "stop_sign": "🛑", "sunny": "☀️", "sweat_smile": "😅", "tv": "📺",
        "thermometer": "🌡️", "thumbsdown": "👎️", "thumbsup": "👍️", "ticket": "🎫", "traffic_light": "🚥",
        "triangular_flag_on_post": "🚩",
        "trophy": "🏆", "truck": "🚚", "unlock": "🔓", "up": "🆙", "wastebasket": "🗑️", "watch": "⌚", "wave": "👋",
        "wrench": "🔧", "yellow_circle": "🟡", "zap": "⚡", "zzz": "💤", "exclamation": "❗", "bangbang": "‼️",
    ]
}
